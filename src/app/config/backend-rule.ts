import type { StoreBackend } from './config.js';
import { isOneOf, type Problem } from './value-rules.js';

/** The rule that a value breaks as the name of a backend or the URL of a database; never repeats the value. */
export function backendProblem(value: unknown): Problem {
  if (isOneOf(NAMED, value)) return undefined;
  if (typeof value !== 'string' || !isDatabaseUrl(value))
    return 'must be sqlite, memory or postgres://user:password@host:port/database';
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url !== undefined && url.hostname !== '' && url.pathname.length > 1
    ? undefined
    : 'must name a host and a database: postgres://user:password@host:port/database';
}

/** The backend, and the URL of its database if it has one. */
export function storeOf(backend: string): {
  readonly backend: StoreBackend;
  readonly databaseUrl?: string;
} {
  if (isDatabaseUrl(backend)) return { backend: 'postgres', databaseUrl: backend };
  return { backend: backend as StoreBackend };
}

/** The backends that need no URL. */
const NAMED: readonly StoreBackend[] = ['sqlite', 'memory'];

function isDatabaseUrl(value: string): boolean {
  return /^postgres(ql)?:\/\//i.test(value);
}
