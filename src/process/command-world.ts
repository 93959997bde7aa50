import type { Environment } from '../app/config/read-config.js';

/** The environment and the standard error of a command. */
export interface CommandWorld {
  readonly env: Environment;
  readonly err: (text: string) => void;
}
