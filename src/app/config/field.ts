import type { EndpointConfig } from './config.js';
import type { KnowledgeStoreOptions } from './options.js';
import type { Problem } from './value-rules.js';

/** Where a value comes from: an environment variable of the process, or an option of the library. */
export type ConfigSource = 'variable' | 'option';

/** One entry of the configuration. */
export interface Field {
  readonly variable: string;
  /** The library option; absent for entries that only concern the process. */
  readonly option?: OptionPath;
  /** For `--help`, without the default. */
  readonly help: string;
  /** Absent if there is no default. */
  readonly byDefault?: string | number | readonly string[];
  /** Default of the option, if it differs from that of the variable. */
  readonly optionDefault?: string | number;
  /** The default as it would be written in the variable, if that differs from `byDefault`. */
  readonly defaultText?: string;
  /** Parses the text of a variable; absent if the text is the value. */
  readonly parse?: (text: string) => unknown;
  readonly problem: (value: unknown, source: ConfigSource) => Problem;
  /** `guard`: the entry protects something, so an empty variable is an error and not a default. */
  readonly kind?: 'guard' | 'plain';
  /** `secret`: the value may contain a password and is never repeated in an error. */
  readonly shown?: 'secret' | 'plain';
}

/** The names of the options that correspond to an entry, as they appear in errors. */
export type OptionPath =
  | Exclude<keyof KnowledgeStoreOptions, EndpointName | 'backends'>
  | `${EndpointName}.${keyof EndpointConfig}`;

/** The endpoints of models. */
export type EndpointName = 'languageModel' | 'embeddings' | 'reranking';
