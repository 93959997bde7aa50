import { KnowledgeError } from '../../src/domain/errors.js';
import type { ExportFiles } from '../../src/ports/driven/export-files.js';

/** Export files of all projects in memory, by their paths. */
export class InMemoryExportFiles implements ExportFiles {
  readonly files = new Map<string, readonly string[]>();

  async create(_: string, path: string, lines: AsyncIterable<string>): Promise<boolean> {
    if (this.files.has(path)) return false;
    const written: string[] = [];
    for await (const line of lines) written.push(line);
    this.files.set(path, written);
    return true;
  }

  async *lines(_: string, path: string): AsyncGenerator<string> {
    const lines = this.files.get(path);
    if (lines === undefined) throw new KnowledgeError('not_found', `There is no file ${path}.`);
    yield* lines;
  }
}
