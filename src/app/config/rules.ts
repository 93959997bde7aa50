import type { Problem, ValueSchema } from '../../schemas/config.js';
import { NAMED_BACKENDS, type StoreBackend } from './config.js';

/** Where a value comes from: an environment variable of the process, or an option of the library. */
export type ConfigSource = 'variable' | 'option';

export interface Field {
  readonly variable: string;
  /** The library option; absent for entries that only concern the process. */
  readonly option?: string;
  /** For `--help`, without the default. */
  readonly help: string;
  readonly byDefault?: string | number | readonly string[];
  /** Default of the option, if it differs from that of the variable. */
  readonly optionDefault?: string | number;
  /** The default as it would be written in the variable, if that differs from `byDefault`. */
  readonly defaultText?: string;
  /** Parses the text of a variable; absent if the text is the value. */
  readonly parse?: (text: string) => unknown;
  /** The message is the second half of a sentence that begins with the name of the variable or option, without the value. */
  readonly schema: ValueSchema;
  /** The message for a variable, if that differs. */
  readonly variableRule?: string;
  /** `guard`: the entry protects something, so an empty variable is an error and not a default. */
  readonly kind?: 'guard';
  /** `secret`: the value may contain a password and is never repeated in an error. */
  readonly shown?: 'secret';
}

export type EndpointName = 'languageModel' | 'embeddings' | 'reranking';

const NAMED_HELP = Object.entries(NAMED_BACKENDS).map(([name, { help }]) => `${name} (${help})`);

export const BACKENDS_HELP = `${NAMED_HELP.join(', ')} or postgres://user:password@host/database`;

/** The rule that a value breaks as the name of a backend or the URL of a database; never repeats the value. */
export function backendProblem(value: unknown): Problem {
  if (typeof value === 'string' && Object.hasOwn(NAMED_BACKENDS, value)) return undefined;
  if (typeof value !== 'string' || !isDatabaseUrl(value))
    return `must be ${Object.keys(NAMED_BACKENDS).join(', ')} or postgres://user:password@host:port/database`;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url !== undefined && url.hostname !== '' && url.pathname.length > 1
    ? undefined
    : 'must name a host and a database: postgres://user:password@host:port/database';
}

export function storeOf(backend: string): {
  readonly backend: StoreBackend;
  readonly databaseUrl?: string;
  readonly workers?: number;
} {
  if (isDatabaseUrl(backend)) return { backend: 'postgres', databaseUrl: backend };
  const name = backend as keyof typeof NAMED_BACKENDS;
  return { backend: name, ...NAMED_BACKENDS[name].process };
}

function isDatabaseUrl(value: string): boolean {
  return /^postgres(ql)?:\/\//i.test(value);
}
