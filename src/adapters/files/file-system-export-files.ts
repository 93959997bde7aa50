import { KnowledgeError } from '../../domain/errors.js';
import type { ExportFiles } from '../../ports/driven/export-files.js';
import { openInside, RefusedFile } from './inside-project.js';
import { linesOf } from './text-lines.js';
import { createInside } from './write-inside.js';

/** Files of any size inside projects; no link out of the project is followed. */
export class FileSystemExportFiles implements ExportFiles {
  async create(projectPath: string, path: string, lines: AsyncIterable<string>): Promise<boolean> {
    let failure: { readonly error: unknown } | undefined;
    const content = async function* () {
      try {
        for await (const line of lines) yield `${line}\n`;
      } catch (error) {
        failure = { error };
        throw error;
      }
    };
    try {
      return await createInside(projectPath, path, { content: content(), mode: PRIVATE });
    } catch (error) {
      throw failure === undefined ? error : failure.error;
    }
  }

  async *lines(projectPath: string, path: string): AsyncGenerator<string> {
    const opened = await openInside(projectPath, path).catch(refuse);
    if (opened === undefined) throw new KnowledgeError('not_found', `There is no file ${path}.`);
    const { handle } = opened;
    try {
      yield* linesOf(handle);
    } finally {
      await handle.close();
    }
  }
}

/** An export has everything that the database has, which only its owner may read. */
const PRIVATE = 0o600;

function refuse(cause: unknown): never {
  if (!(cause instanceof RefusedFile)) throw cause;
  throw new KnowledgeError('not_readable', `The file cannot be read: ${cause.message}.`, { cause });
}
