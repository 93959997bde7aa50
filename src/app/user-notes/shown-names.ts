import { KnowledgeError } from '../../domain/errors.js';

/**
 * Replaces the names of user notes in an error by those that the caller uses.
 * @param names maps a name in the store of user notes to the one shown to the caller
 */
export async function withShownNames<T>(
  names: ReadonlyMap<string, string>,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error;
    let { message } = error;
    for (const [name, shown] of names)
      message = message.replaceAll(`"${name}"`, () => `"${shown}"`);
    const { code, current } = error;
    throw new KnowledgeError(code, message, { cause: error, ...(current && { current }) });
  }
}
