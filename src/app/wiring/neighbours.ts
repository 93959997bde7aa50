import type { StoreClaims } from '../../ports/driven/store-claims.js';

/** What other processes of the same service need from one that works on projects. */
export interface Neighbours {
  readonly claims?: StoreClaims;
  /** Called before each piece of work on a project that cannot be interrupted. */
  readonly onWork?: (projectPath: string) => void;
}
