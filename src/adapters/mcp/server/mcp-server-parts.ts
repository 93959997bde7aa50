import type { Logger } from '../../../ports/driven/logger.js';
import type { SourceResources } from '../source-resources.js';
import type { Tool } from '../tools/tool.js';

export interface McpServerOptions {
  readonly tools: readonly Tool[];
  readonly resources: SourceResources;
  /** The project of a call that names none, if the client has no roots either. */
  readonly directory: string;
  /** Of this package. */
  readonly version: string;
  readonly logger: Logger;
}
