import { KnowledgeError } from '../../domain/errors.js';

/**
 * Names user notes in an error as the caller does.
 * @param names from the name in the store of user notes to the shown one
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
