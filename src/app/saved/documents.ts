import type { SourceDocument } from '../../domain/chunks/chunk.js';
import { storableText } from '../../domain/chunks/text.js';
import { KnowledgeError } from '../../domain/errors.js';
import { FIELDS } from '../../domain/fields.js';
import { DOCUMENT_CONTENT_MAX_CHARACTERS, NOTE_TITLE_MAX_CHARACTERS } from '../../domain/limits.js';
import { isInAppDir, isPushed, PUSHED_HASH_PREFIX } from '../../domain/pushed-document.js';
import type { Settings } from '../../domain/settings.js';
import type { ProjectFileReader } from '../../ports/driven/project-files.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';
import type {
  Document,
  DocumentsService,
  PushedDocument,
} from '../../ports/driving/documents-service.js';
import { checkArguments, checkRule, checkText, invalidRequest } from '../arguments.js';
import type { Ingestion } from '../ingestion/ingestion.js';
import { type SourceKindOptions, SourceKinds } from '../ingestion/source-kind.js';
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';

interface DocumentsOptions extends SourceKindOptions {
  readonly projects: Projects;
  readonly files: ProjectFileReader;
  readonly settings: SettingsSource;
  readonly ingestion: Ingestion;
}

/** Stores documents that are pushed, as if they had been read from files. */
export class Documents implements DocumentsService {
  readonly #options: DocumentsOptions;
  readonly #kinds: SourceKinds;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    this.#kinds = new SourceKinds(options);
  }

  async pushDocument(projectPath: string, pushed: Document): Promise<PushedDocument> {
    checkDocument(projectPath, pushed);
    const document = storable(pushed);
    const { projects, settings, ingestion } = this.#options;
    const project = await projects.open(projectPath);
    const source = await this.#sourceOf(document, await settings.read(project.path));
    const known = await this.#knownHash(project, document.path);
    const { sourceFile, contentHash, chunks } = source;
    await ingestion.ingestDocument(project, source);
    const isNew = known === undefined;
    return { sourceFile, chunks: chunks.length, isNew, changed: known !== contentHash };
  }

  /** Of the document that was pushed under this path before; undefined if there is none. */
  async #knownHash(project: Project, path: string): Promise<string | undefined> {
    const { files, appDirs } = this.#options;
    const appDir = appDirs.of(project.path);
    if (isInAppDir(appDir, path))
      throw invalidRequest(`path must not be in the folder "${appDir}".`);
    const indexed = await project.store.chunks.indexedSources();
    const known = indexed.find(({ sourceFile }) => sourceFile === path);
    const isFile = known === undefined ? await files.exists(project.path, path) : !isPushed(known);
    if (isFile) throw fileInTheWay(path);
    return known?.contentHash;
  }

  async #sourceOf(document: Document, settings: Settings): Promise<SourceDocument> {
    const { path: sourceFile, content, sourceType = 'file', title, tags, importance } = document;
    const { hashPrefix, toChunks } = this.#kinds.pushed(settings, { sourceType, title });
    const given = {
      ...(tags !== undefined && { tags }),
      ...(importance !== undefined && { importance }),
    };
    const hash = await hashOf([hashPrefix, sourceType, content, title, given]);
    return {
      sourceType,
      sourceFile,
      contentHash: `${PUSHED_HASH_PREFIX}${hash}`,
      chunks: toChunks(content, sourceFile).map((chunk) => ({ ...chunk, ...given })),
    };
  }
}

/** Its texts as those of a file are stored. */
function storable({ content, title, ...others }: Document): Document {
  return {
    ...others,
    content: storableText(content),
    ...(title !== undefined && { title: storableText(title) }),
  };
}

function checkDocument(projectPath: string, document: Document): void {
  checkArguments({ projectPath, document });
  const { path, content, sourceType = 'file', title, tags, importance } = document;
  checkArguments({ path, content }, { title, tags, importance });
  checkRule('sourceType', sourceType, FIELDS.pushedType);
  checkText('content', content, DOCUMENT_CONTENT_MAX_CHARACTERS);
  if (title !== undefined) checkText('title', title, NOTE_TITLE_MAX_CHARACTERS);
}

async function hashOf(parts: readonly unknown[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

function fileInTheWay(path: string): KnowledgeError {
  return new KnowledgeError(
    'conflict',
    `"${path}" is a file of the project, which is read from there; push the document under another path.`,
  );
}
