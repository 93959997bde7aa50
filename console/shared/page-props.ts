import type { Fields } from './place.js';

/** What every page gets. */
export interface PageProps {
  /** Absolute path; the service has opened it. */
  readonly project: string;
  /** What the address says, besides the project. */
  readonly fields: Fields;
}
