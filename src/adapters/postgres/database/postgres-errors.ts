import {
  type ErrorCode,
  errorReason,
  KnowledgeError,
  StoreLocked,
} from '../../../domain/errors.js';

/**
 * Translates an error of the driver or the server; a KnowledgeError passes through. Keeps only the code of the cause,
 * because causes are logged, and a message may contain a project's content, a host or a user name.
 */
export function toKnowledgeError(error: unknown): unknown {
  if (error instanceof KnowledgeError) return error;
  const cause = Object.assign(new Error(loggable(error)), { code: sqlState(error) });
  const translated = (code: ErrorCode, message: string) =>
    new KnowledgeError(code, message, { cause });
  if (isPoolTimeout(error)) return translated('overloaded', BUSY);
  const code = sqlState(error);
  if (LOCKED.test(code)) return new StoreLocked({ cause });
  const found = TRANSLATIONS.find(({ when }) => when.test(code));
  if (found !== undefined) return translated(found.code, found.message);
  if (isConnectionLoss(error)) return translated('store_unavailable', LOST);
  const isOfServer = SQLSTATE.test(code);
  return isOfServer ? translated('internal', `The database failed with code ${code}.`) : error;
}

/** Like {@link toKnowledgeError}, for a failed attempt to connect. Blames the URL for an unknown error. */
export function toConnectionError(error: unknown): unknown {
  const translated = toKnowledgeError(error);
  if (translated instanceof KnowledgeError && translated.code !== 'internal') return translated;
  const cause = Object.assign(new Error(loggable(error)), { code: sqlState(error) });
  const message = `The PostgreSQL server cannot be reached (${cause.message}); check the URL and its parameters.`;
  return new KnowledgeError('store_unavailable', message, { cause });
}

/** The code of an error. If it has none, the driver's message, which reveals nothing of the URL. */
export function loggable(error: unknown): string {
  const code = sqlState(error);
  return code === '' ? errorReason(error).replace(/\.$/, '') : `code ${code}`;
}

/** Runs `work` up to `attempts` times, as long as `isWorthIt` returns true for its error. */
export async function retry<T>(
  attempts: number,
  isWorthIt: (error: unknown) => boolean | Promise<boolean>,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !(await isWorthIt(error))) throw error;
    }
  }
}

/** Whether the server did not respond to a statement, even after its own time limit. */
export function isSilence(error: unknown): boolean {
  if (error instanceof KnowledgeError) return isSilence(error.cause);
  return error instanceof Error && error.message === 'Query read timeout';
}

/** The SQLSTATE for a write to a server that is only a replica. */
export const READ_ONLY = '25006';

export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === READ_ONLY;
}

/**
 * Whether the connection ended or leads to a server that accepts no writes. The same statement may work on another
 * connection.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (isReadOnly(error)) return true;
  if (/^(08|57P0[1-3])/.test(sqlState(error)) || NETWORK.test(sqlState(error))) return true;
  if (isSilence(error)) return true;
  if (error instanceof KnowledgeError) return isConnectionLoss(error.cause);
  const message = error instanceof Error ? error.message : '';
  return /connection terminated|connection ended|timeout expired|client has encountered|not queryable/i.test(
    message,
  );
}

/** Whether a transaction lost against another one (deadlock or serialization failure), so that a retry may succeed. */
export function isSerializationFailure(error: unknown): boolean {
  return /^(40P01|40001)$/.test(sqlState(error));
}

/** Whether a table or the schema of a project is missing. The next opening creates a missing schema. */
export function isMissingObject(error: unknown): boolean {
  return /^(42P01|3F000)$/.test(sqlState(error));
}

/** Whether the server refused a value, such as one out of range or too long. */
export function isRefusedValue(error: unknown): boolean {
  return /^(22|54)/.test(sqlState(error));
}

/** Whether something with the same name already exists. */
export function isDuplicate(error: unknown): boolean {
  return /^(23505|42P06|42P07|42710)$/.test(sqlState(error));
}

/** The code of an error, or of the cause of a translated one; empty if it has none. */
export function sqlState(error: unknown): string {
  if (error instanceof KnowledgeError) return sqlState(error.cause);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

const LOCKED = /^(55P03|40P01|40001)$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
const NETWORK =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/;

const LOST = 'The PostgreSQL server of the knowledge store does not answer; try again shortly.';
const BUSY = 'The knowledge store is busy with other requests; try again shortly.';

const TRANSLATIONS = [
  {
    when: /^57014$/,
    code: 'overloaded',
    message: 'The knowledge store took too long; try again shortly, or ask for less.',
  },
  { when: /^(53300|53200|53400)$/, code: 'overloaded', message: BUSY },
  {
    when: /^53100$/,
    code: 'storage_full',
    message: 'The PostgreSQL server has no space left; free some space and try again.',
  },
  {
    when: new RegExp(`^${READ_ONLY}$`),
    code: 'store_unavailable',
    message:
      'The PostgreSQL server of the knowledge store accepts no writes at present; try again shortly.',
  },
  {
    when: /^(28|42501|3D000)/,
    code: 'store_unavailable',
    message:
      'The PostgreSQL server refuses access to the knowledge store; check the user, the database and its permissions.',
  },
  {
    when: /^(42P01|3F000)$/,
    code: 'store_unavailable',
    message: 'The knowledge store of this project is missing from the server; try again.',
  },
] as const;

function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout exceeded when trying to connect/.test(error.message);
}
