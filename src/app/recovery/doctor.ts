import { KnowledgeError } from '../../domain/errors.js';
import { chunksHave } from '../../domain/figures.js';
import { settingsPath } from '../../domain/project-layout.js';
import type { Clock } from '../../ports/clock.js';
import type { EmbeddingModel, EmbeddingRuntime } from '../../ports/embedder.js';
import type { AppDirectories, ProjectDirectories } from '../../ports/project-directories.js';
import type { Diagnosis, DoctorRequest } from '../../schemas/upkeep.js';
import { isEmbedding } from '../enrichment/background-loop.js';
import { countVectors, type Refusal } from '../enrichment/refused-texts.js';
import type { Project } from '../project.js';
import type { OpenProject } from '../projects/open-project.js';
import type { Projects } from '../projects/projects.js';
import { expiredSources } from '../search/filters.js';
import type { Sources } from '../sources/sources.js';

interface DoctorOptions {
  readonly projects: Projects;
  readonly directories: ProjectDirectories;
  readonly embedder: Pick<EmbeddingModel, 'model' | 'status'>;
  readonly sources: Pick<Sources, 'skipped'>;
  readonly appDirs: AppDirectories;
  readonly clock: Pick<Clock, 'now'>;
}

/** Diagnosis and repair of a store (docs/when-it-breaks.md). */
export class Doctor {
  readonly #options: DoctorOptions;

  constructor(options: DoctorOptions) {
    this.#options = options;
  }

  /**
   * Reports problems and missing data of a project's store. On request, rebuilds an inconsistent index, or sets a
   * damaged database aside and re-indexes the sources.
   */
  async examine({ projectPath, repair }: DoctorRequest): Promise<Diagnosis> {
    const path = await this.#options.directories.resolve(projectPath);
    const found = await ofStore(this.#options, path, repair === true ? 'repair' : 'examine');
    return { ok: found.every(isResolved), findings: found };
  }
}

/**
 * Codes: those of `StoreFinding`; `unusable`: the store cannot be opened; `vectors_missing`, `questions_missing`:
 * chunks that have none yet; `texts_refused`: texts refused by a model; `not_compared`: vectors cannot be compared
 * here; `settings`: wrong entries in settings.json; `not_read`: a skipped source; `expiredFindings`: notes to review;
 * `no_store`: nothing was indexed yet.
 */
type Finding = Diagnosis['findings'][number];

function isResolved({ code, repaired }: Finding): boolean {
  return repaired === true || !['damaged', 'index_outdated', 'unusable'].includes(code);
}

async function ofStore(
  options: DoctorOptions,
  path: string,
  task: 'examine' | 'repair',
): Promise<readonly Finding[]> {
  try {
    const project = await openProject(options, path);
    if (project === undefined) return [NO_STORE];
    const found = await project.store.upkeep.maintain(task);
    if (found.some(({ code, repaired }) => code === 'damaged' && !repaired)) return found;
    const current = await openProject(options, path);
    if (current === undefined) return found;
    if (task === 'repair') current.enrich();
    const asked = [
      missing(options, current),
      expiredFindings(options, current),
      notRead(options, path),
    ];
    return [...found, ...(await Promise.all(asked)).flat()];
  } catch (error) {
    if (!(error instanceof KnowledgeError) || error.code === 'internal') throw error;
    const sentence = `The knowledge store cannot be used: ${error.message}`;
    return [{ code: 'unusable', sentence }];
  }
}

const NO_STORE: Finding = {
  code: 'no_store',
  sentence: 'There is no knowledge store yet; an ingestion creates it.',
};

/** Opens a project. If its store replaces a damaged one, waits until the sources are indexed again. */
async function openProject(
  { projects }: DoctorOptions,
  path: string,
): Promise<OpenProject | undefined> {
  try {
    return await projects.find(path);
  } catch (error) {
    if (!(error instanceof KnowledgeError) || error.code !== 'store_unavailable') throw error;
    await projects.refilled(path);
    return projects.find(path);
  }
}

async function missing(
  { embedder }: DoctorOptions,
  project: OpenProject,
): Promise<readonly Finding[]> {
  const { store, refusals: refused } = project;
  const { pending: vectors, problem } = await countVectors(project, 'content', embedder);
  const questions = (await countMissingQuestions(store)) - refused.hype.size;
  return [
    ...textsRefused([...refused.embeddings.list(), ...refused.hype.list()]),
    ...(vectors > 0
      ? [vectorsMissing(embedder, vectors, (await isEmbedding(project)) ? BEING_MADE : TO_BE_MADE)]
      : []),
    ...(questions > 0 ? [questionsMissing(questions)] : []),
    ...(problem === undefined ? [] : [{ code: 'not_compared', sentence: problem } as const]),
  ];
}

function vectorsMissing(
  embedder: DoctorOptions['embedder'],
  count: number,
  remedy: string,
): Finding {
  const { state, runtime, failure = '' } = embedder.status();
  const place = runtime === undefined ? '' : ` The model runs ${PLACES[runtime]}.`;
  const consequence =
    state === 'absent' || state === 'failed'
      ? `the embedding model ${embedder.model} cannot be used here, so searches find such chunks by keyword only. ${failure}`
      : `${remedy}.${place}`;
  const sentence = `${chunksHave(count)} no vector yet: ${consequence}`.trim();
  return { code: 'vectors_missing', sentence };
}

const BEING_MADE = 'vectors are being computed in the background';
const TO_BE_MADE = 'run "knowledge-store ingest", or keep a service running';

function textsRefused(refusals: readonly Refusal[]): readonly Finding[] {
  const shown = refusals.slice(0, SHOWN_SOURCES).map(({ id, reason }) => `${id} (${reason})`);
  if (shown.length === 0) return [];
  const others = refusals.length - shown.length;
  const more = others > 0 ? `, and ${others} more` : '';
  const sentence = `The model refused ${shown.join(', ')}${more}. They are tried again when their text or the model changes.`;
  return [{ code: 'texts_refused', sentence }];
}

const PLACES: Readonly<Record<EmbeddingRuntime, string>> = {
  wasm: 'in WebAssembly',
  native: 'by onnxruntime-node',
  endpoint: 'at an endpoint',
};

function questionsMissing(count: number): Finding {
  const sentence = `${chunksHave(count)} no questions yet: a running service with a language model generates them.`;
  return { code: 'questions_missing', sentence };
}

/** Returns 0 if no chunk has questions: without a language model, none are missing. */
async function countMissingQuestions({ vectors }: Project['store']): Promise<number> {
  const { complete, pending } = await vectors.status('questions');
  return complete === 0 ? 0 : pending;
}

/** Reports expired notes, which searches leave out, so that somebody renews or deletes them. */
async function expiredFindings(
  { clock }: DoctorOptions,
  project: Project,
): Promise<readonly Finding[]> {
  const files = await expiredSources(project, clock.now());
  if (files.length === 0) return [];
  const shown = files.slice(0, SHOWN_SOURCES).join(', ');
  const more = files.length > SHOWN_SOURCES ? `, and ${files.length - SHOWN_SOURCES} more` : '';
  const sentence = `Searches leave out expired notes: ${shown}${more}. Delete them, or change their date.`;
  return [{ code: 'expired', sentence }];
}

async function notRead(
  { sources, appDirs }: DoctorOptions,
  path: string,
): Promise<readonly Finding[]> {
  const settings = settingsPath(appDirs.of(path));
  const skipped = await sources.skipped({ projectPath: path });
  const found = skipped.slice(0, SHOWN_SOURCES).map(({ sourceFile, reason }) => ({
    code: sourceFile === settings ? 'settings' : 'not_read',
    sentence: `${sourceFile}: ${reason}.`,
  }));
  const others = skipped.length - found.length;
  if (others === 0) return found;
  return [...found, { code: 'not_read', sentence: `${others} more are skipped or read in part.` }];
}

const SHOWN_SOURCES = 20;
