import type { StoreBackend } from './config.js';
import { isOneOf, type Problem } from './value-rules.js';

/** The rule that a value breaks as the name of a backend or the URL of a database; never repeats the value. */
export function backendProblem(value: unknown): Problem {
  if (isOneOf(Object.keys(NAMED), value)) return undefined;
  if (typeof value !== 'string' || !isDatabaseUrl(value))
    return 'must be sqlite, memory or postgres://user:password@host:port/database';
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url !== undefined && url.hostname !== '' && url.pathname.length > 1
    ? undefined
    : 'must name a host and a database: postgres://user:password@host:port/database';
}

/** The backend, and the URL of its database if it has one; what is kept in memory can only be in one process. */
export function storeOf(backend: string): {
  readonly backend: StoreBackend;
  readonly databaseUrl?: string;
  readonly workers?: number;
} {
  if (isDatabaseUrl(backend)) return { backend: 'postgres', databaseUrl: backend };
  const name = backend as keyof typeof NAMED;
  return { backend: name, ...NAMED[name] };
}

/** The backends that need no URL, and what they ask of the process. */
const NAMED = { sqlite: {}, memory: { workers: 0 } } as const;

function isDatabaseUrl(value: string): boolean {
  return /^postgres(ql)?:\/\//i.test(value);
}
