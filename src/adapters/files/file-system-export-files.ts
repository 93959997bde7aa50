import { KnowledgeError } from '../../domain/errors.js';
import type { ExportFiles } from '../../ports/driven/export-files.js';
import { openInside, RefusedFile } from './inside-project.js';
import type { OpenFile } from './open-file.js';
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
    const file = openOrRefuse(projectPath, path);
    try {
      yield* linesOf(file);
    } finally {
      file.close();
    }
  }
}

/** An export has everything that the database has, which only its owner may read. */
const PRIVATE = 0o600;

function openOrRefuse(projectPath: string, path: string): OpenFile {
  const opened = orRefuse(() => openInside(projectPath, path));
  if (opened === undefined) throw new KnowledgeError('not_found', `There is no file ${path}.`);
  return opened.file;
}

function orRefuse<T>(open: () => T): T {
  try {
    return open();
  } catch (cause) {
    if (!(cause instanceof RefusedFile)) throw cause;
    const message = `The file cannot be read: ${cause.message}.`;
    throw new KnowledgeError('not_readable', message, { cause });
  }
}
