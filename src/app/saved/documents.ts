import { DOCUMENT_CONTENT_MAX_CHARACTERS } from '../../domain/limits.js';
import { documentName } from '../../domain/saved/saved-names.js';
import { documentText } from '../../domain/saved/saved-text.js';
import type {
  Document,
  DocumentsService,
  PushedDocument,
} from '../../ports/driving/documents-service.js';
import type { FrontmatterParser } from '../../ports/frontmatter-parser.js';
import { checkArguments, checkText } from '../arguments.js';
import type { Projects } from '../projects/projects.js';
import type { SavedFiles } from './saved-files.js';

interface DocumentsOptions {
  readonly projects: Projects;
  readonly saved: SavedFiles;
  readonly frontmatter: FrontmatterParser;
}

/** Keeps documents that are pushed as files. */
export class Documents implements DocumentsService {
  readonly #options: DocumentsOptions;

  constructor(options: DocumentsOptions) {
    this.#options = options;
  }

  async pushDocument(projectPath: string, document: Document): Promise<PushedDocument> {
    checkArguments({ projectPath, document });
    const { path, content, tags, importance } = document;
    checkArguments({ path, content }, { tags, importance });
    checkText('content', content, DOCUMENT_CONTENT_MAX_CHARACTERS);
    const { projects, saved, frontmatter } = this.#options;
    const project = await projects.open(projectPath);
    const file = { sourceType: 'file', name: documentName(path) } as const;
    const isNew = !(await saved.exists(project, file));
    const text = documentText(document, (yaml) => frontmatter.parse(yaml, path));
    return { ...(await saved.write(project, file, text)), isNew };
  }
}
