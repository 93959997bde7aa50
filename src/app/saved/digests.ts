import { splitFrontmatter } from '../../domain/chunks/frontmatter.js';
import { KnowledgeError, ModelCallError } from '../../domain/errors.js';
import { visibleText } from '../../domain/lessons/lesson-text.js';
import { type SavedFile, savedPath } from '../../domain/project-layout.js';
import { isMadeOf, textOfDigest } from '../../domain/saved/saved-text.js';
import { partsToSummarize, summaryBody } from '../../domain/upkeep/compaction.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { FrontmatterParser } from '../../ports/driven/frontmatter-parser.js';
import type { Summarizer } from '../../ports/driven/summarizer.js';
import type {
  DigestReport,
  DigestService,
  DigestSubject,
} from '../../ports/driving/digest-service.js';
import { checkArguments } from '../arguments.js';
import { KeyedMutex } from '../keyed-mutex.js';
import { noModelError } from '../no-model-error.js';
import type { Project } from '../projects/project.js';
import type { Projects } from '../projects/projects.js';
import { type DigestMaterial, DigestSources, type DigestSourcesOptions } from './digest-sources.js';
import type { SavedFiles } from './saved-files.js';

interface DigestsOptions extends DigestSourcesOptions {
  readonly projects: Projects;
  readonly saved: SavedFiles;
  readonly summarizer: Summarizer;
  readonly frontmatter: FrontmatterParser;
  readonly clock: Clock;
}

/** Has the language model summarize sources, and keeps the result as a source of its own. */
export class Digests implements DigestService {
  readonly #options: DigestsOptions;
  readonly #sources: DigestSources;
  readonly #calls = new KeyedMutex();

  constructor(options: DigestsOptions) {
    this.#options = options;
    this.#sources = new DigestSources(options);
  }

  /** One after the other for a project, so that two calls for the same digest pay for one. */
  async makeDigest(projectPath: string, subject: DigestSubject): Promise<DigestReport> {
    checkArguments({ projectPath, subject });
    const { category, epicId } = subject;
    checkArguments({}, { category, epicId });
    if ((category === undefined) === (epicId === undefined)) {
      throw new KnowledgeError(
        'invalid_request',
        'Exactly one of category and epicId must be set.',
      );
    }
    return this.#calls.runExclusive(projectPath, async () => {
      const { path, project } = await this.#options.projects.openForReading(projectPath);
      const material =
        category === undefined
          ? await this.#sources.ofEpic({ path }, epicId ?? '')
          : await this.#sources.ofCategory({ path }, category);
      return this.#make(project ?? (await this.#options.projects.open(projectPath)), material);
    });
  }

  async #make(project: Project, material: DigestMaterial): Promise<DigestReport> {
    const { saved, clock } = this.#options;
    const { name, title, sources } = material;
    const file: SavedFile = { sourceType: 'generated', name };
    const report = { sources: sources.map(({ sourceFile }) => sourceFile) };
    if (await this.#isCurrent(project, file, material)) {
      return { ...report, ...(await saved.index(project, file)), isNew: false };
    }
    const content = await this.#summarize(material.text);
    const isNew = !(await saved.exists(project, file));
    const digest = { title, made: clock.now().toISOString(), sources, content };
    return { ...report, ...(await saved.write(project, file, textOfDigest(digest))), isNew };
  }

  async #isCurrent(project: Project, file: SavedFile, { sources }: DigestMaterial) {
    const { files, frontmatter, appDirs } = this.#options;
    const path = savedPath(appDirs.of(project.path), file);
    const reading = await files.readText(project.path, path);
    if (reading === undefined || 'skipped' in reading) return false;
    const { yaml = '', body } = splitFrontmatter(reading.text);
    return body.trim() !== '' && isMadeOf(frontmatter.parse(yaml, path), sources);
  }

  /** @throws KnowledgeError `model_unavailable` unless every part was summarized completely */
  async #summarize(text: string): Promise<string> {
    const { summarizer } = this.#options;
    if (!summarizer.isAvailable()) throw noModelError('No small language model is set');
    const summaries: string[] = [];
    for (const part of partsToSummarize(text, summarizer.maxCharacters).parts) {
      const summary = summaryBody(visibleText(await summarizer.summarize(part).catch(toError)));
      if (summary === '') throw unusable('The small language model returned an empty digest');
      summaries.push(summary);
    }
    if (summaries.length > 0) return summaries.join('\n\n');
    throw new KnowledgeError('not_found', 'The sources of the digest have no text.');
  }
}

function toError(error: unknown): never {
  if (!(error instanceof ModelCallError)) throw error;
  throw error.failure === 'not_configured' || error.failure === 'unreachable'
    ? noModelError('No small language model can be reached', error)
    : unusable('The small language model gave no usable digest', error);
}

function unusable(problem: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError('model_unavailable', `${problem}; try again later.`, { cause });
}
