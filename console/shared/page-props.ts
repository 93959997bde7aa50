import type { Fields } from './place.js';

/** Properties of every page. */
export interface PageProps {
  /** Absolute path; the service has opened it. */
  readonly project: string;
  /** The state in the address, without the project. */
  readonly fields: Fields;
}
