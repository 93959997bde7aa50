import { documentName } from '../../domain/saved/saved-names.js';
import { documentText } from '../../domain/saved/saved-text.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import type { DocumentRequest } from '../../schemas/saved.js';
import type { Projects } from '../projects/projects.js';
import type { SavedFiles } from './saved-files.js';

interface DocumentsOptions {
  readonly projects: Projects;
  readonly saved: SavedFiles;
  readonly frontmatter: FrontmatterParser;
}

/** Pushed documents (docs/specification.md, "Knowledge in"): a program sends them instead of writing project files. */
export class Documents {
  readonly #options: DocumentsOptions;

  constructor(options: DocumentsOptions) {
    this.#options = options;
  }

  /**
   * Creates or replaces the file of a document; a keyword search finds it as soon as this returns.
   * @throws KnowledgeError `path_not_allowed` if the path leads through a link; `storage_full`
   */
  async push({ projectPath, ...document }: DocumentRequest) {
    const { path } = document;
    const { projects, saved, frontmatter } = this.#options;
    const project = await projects.open(projectPath);
    const file = { sourceType: 'file', name: documentName(path) } as const;
    const isNew = !(await saved.exists(project, file));
    const text = documentText(document, (yaml) => frontmatter.parse(yaml, path));
    return { ...(await saved.write(project, file, text)), isNew };
  }
}
