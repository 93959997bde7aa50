import { KnowledgeError, reasonOf, STORE_LOCKED } from '../../../domain/errors.js';

/**
 * Translates what the driver or the server threw; a KnowledgeError passes through. Of the cause only the
 * code is kept, because causes are logged: the message may contain the content of a project, a host or a user name.
 */
export function toKnowledgeError(error: unknown): unknown {
  if (error instanceof KnowledgeError) return error;
  const cause = new CodedError(error);
  if (isPoolTimeout(error)) return new KnowledgeError('overloaded', BUSY, { cause });
  const code = codeOf(error);
  const found = TRANSLATIONS.find(({ when }) => when.test(code));
  if (found !== undefined) return new KnowledgeError(found.code, found.message, { cause });
  if (isConnectionLoss(error)) return new KnowledgeError('store_unavailable', LOST, { cause });
  if (!SQLSTATE.test(code)) return error;
  return new KnowledgeError('internal', `The database failed with the code ${code}.`, { cause });
}

/** Like {@link toKnowledgeError}, of a failed attempt to connect: what is not known there is the URL's fault. */
export function toConnectionError(error: unknown): unknown {
  const translated = toKnowledgeError(error);
  if (translated instanceof KnowledgeError && translated.code !== 'internal') return translated;
  const cause = new CodedError(error);
  const message = `No connection to the PostgreSQL server can be made (${cause.message}); check the URL and its parameters.`;
  return new KnowledgeError('store_unavailable', message, { cause });
}

/** An error of the driver or the server, of which a log may know. */
class CodedError extends Error {
  readonly code: string;

  constructor(error: unknown) {
    super(loggable(error));
    this.code = codeOf(error);
  }
}

/** The code of an error; those without one come from the driver alone and name nothing of the URL. */
export function loggable(error: unknown): string {
  const code = codeOf(error);
  return code === '' ? reasonOf(error).replace(/\.$/, '') : `code ${code}`;
}

/** Whether the connection ended, so that the same statement may work on another one. */
export function isConnectionLoss(error: unknown): boolean {
  if (/^(08|57P0[1-3])/.test(codeOf(error)) || NETWORK.test(codeOf(error))) return true;
  if (error instanceof KnowledgeError) return isConnectionLoss(error.cause);
  const message = error instanceof Error ? error.message : '';
  return /connection terminated|connection ended|client has encountered|not queryable/i.test(
    message,
  );
}

/** Whether a transaction lost against another one and may be tried again. */
export function isSerializationFailure(error: unknown): boolean {
  return /^(40P01|40001)$/.test(codeOf(error));
}

/** Whether a table or the schema of a project is missing; what that means is decided when it is opened again. */
export function isMissingObject(error: unknown): boolean {
  return /^(42P01|3F000)$/.test(codeOf(error));
}

/** Whether something of the same name exists already. */
export function isDuplicate(error: unknown): boolean {
  return /^(23505|42P06|42P07|42710)$/.test(codeOf(error));
}

/** Whether an index could not be read: damaged, of another version, or gone. */
export function isIndexFailure(error: unknown): boolean {
  return /^(XX00[0-2]|42704|42883|58P01|0A000|55000)$/.test(codeOf(error));
}

/** The code of what the driver threw, also behind its translation; empty if there is none. */
export function codeOf(error: unknown): string {
  if (error instanceof KnowledgeError) return codeOf(error.cause);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

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
    when: /^(55P03|40P01|40001)$/,
    code: 'store_unavailable',
    message: STORE_LOCKED,
  },
  {
    when: /^53100$/,
    code: 'storage_full',
    message: 'The PostgreSQL server has no space left; free some and try again.',
  },
  {
    when: /^(28|42501|3D000|25006)/,
    code: 'store_unavailable',
    message:
      'The PostgreSQL server refuses the knowledge store; check the user, the database and its permissions.',
  },
  {
    when: /^(42P01|3F000)$/,
    code: 'store_unavailable',
    message: 'The knowledge store of this project is missing on the server; try again.',
  },
] as const;

function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout exceeded when trying to connect/.test(error.message);
}
