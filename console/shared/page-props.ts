import type { Fields } from './place.js';

export interface PageProps {
  /** Absolute path of a project that the service has opened. */
  readonly project: string;
  /** The state kept in the address, without the project. */
  readonly fields: Fields;
}
