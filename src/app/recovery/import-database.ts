import { addCounts, type DatabaseReader, type ImportCounts } from '../../ports/chunk-import.js';
import type { Logger } from '../../ports/logger.js';
import type { ProjectDirectories } from '../../ports/project-directories.js';
import type { ImportRequest } from '../../schemas/upkeep.js';
import type { Projects } from '../projects/projects.js';

interface ImportOptions {
  readonly projects: Projects;
  readonly directories: ProjectDirectories;
  readonly databases: DatabaseReader;
  readonly logger: Logger;
}

/** Adds the contents of another database, batch by batch, to the store of a project on any backend. */
export class DatabaseImport {
  readonly #options: ImportOptions;

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  /**
   * Adds the database's chunks, vectors, questions and counts. The next ingestion updates sources whose files differ.
   * Idempotent.
   * @throws KnowledgeError `not_found`, `not_readable` if it is not a database, `storage_full`
   */
  async run({ projectPath, path }: ImportRequest): Promise<ImportCounts> {
    const { projects, directories, databases, logger } = this.#options;
    const file = await directories.resolveFile(projectPath, path);
    const project = await projects.open(projectPath);
    let total: ImportCounts = { chunks: 0, vectors: 0, questions: 0, skipped: 0 };
    for await (const { chunks, sources, leftOut } of databases.read(file)) {
      total = addCounts(total, await project.store.upkeep.import({ chunks, sources }));
      if (leftOut.length > 0) {
        logger.warn('Part of the database was left out.', { project: project.path, file, leftOut });
      }
    }
    project.enrich();
    return total;
  }
}
