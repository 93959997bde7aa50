import type { KnowledgeError } from '../../domain/errors.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { Leftover } from '../../ports/driven/leftovers.js';
import type { SkippedSource } from '../../ports/driving/ingestion-service.js';
import type { StoreProblem } from '../../ports/driving/recovery-service.js';
import type { Project } from '../projects/project.js';
import type { Sources } from '../sources/sources.js';

export interface RemarksOptions {
  readonly embedder: Pick<Embedder, 'model' | 'status'>;
  readonly sources: Pick<Sources, 'listSources'>;
}

/** The store cannot be opened; the message of the error says why and what to do. */
export function unopened({ message }: KnowledgeError): StoreProblem {
  return {
    problem: `The knowledge store cannot be used: ${message}`,
    advice: 'Do what the sentence says, then ask again.',
    state: 'manual',
  };
}

/** Databases that were set aside because they are damaged, between two looks. */
export function setAsideProblems(
  before: readonly Leftover[],
  after: readonly Leftover[],
): readonly StoreProblem[] {
  const known = new Set(before.map(({ path }) => path));
  return after
    .filter(({ kind, path }) => kind === 'damaged' && !known.has(path))
    .map(({ path }) => ({
      problem: 'The database file was damaged.',
      advice: `It was set aside as ${path}, and the sources were read again.`,
      state: 'mended',
    }));
}

export function temporaryFiles(
  found: readonly Leftover[],
  state: 'mendable' | 'mended',
): readonly StoreProblem[] {
  const files = found.filter(({ kind }) => kind === 'temporary');
  if (files.length === 0) return [];
  const shown = files.slice(0, SHOWN_FILES).map(({ path }) => path);
  const others = files.length > SHOWN_FILES ? ` and ${files.length - SHOWN_FILES} others` : '';
  return [
    {
      problem: `Interrupted writes left ${files.length === 1 ? 'a temporary file' : 'temporary files'} behind: ${shown.join(', ')}${others}.`,
      advice: state === 'mended' ? 'They were deleted.' : 'A repair deletes them.',
      state,
    },
  ];
}

/** Copies that are kept because they may hold something that is found nowhere else. */
export function leftoverNotes(found: readonly Leftover[]): readonly string[] {
  return found
    .filter(({ kind }) => kind !== 'temporary')
    .map(
      ({ path, bytes, kind }) =>
        `${path} (${megabytes(bytes)}) is ${KINDS[kind]}; delete it if you do not need it any more.`,
    );
}

/** Folders that look like the application directory and are not used. */
export function folderNotes(appDirs: AppDirectories, projectPath: string): readonly string[] {
  const others = appDirs.others(projectPath);
  if (others.length === 0) return [];
  return [
    `${appDirs.of(projectPath)} is used; what else looks like an application directory: ${others.join(', ')}.`,
  ];
}

/** What is not wrong with a store but worth knowing. */
export async function storeNotes(
  { embedder, sources }: RemarksOptions,
  project: Project | undefined,
): Promise<readonly string[]> {
  if (project === undefined) return ['There is no knowledge store yet; an ingestion makes it.'];
  const { skipped } = await sources.listSources(project.path);
  return [
    ...(await vectorNotes(embedder, project)),
    ...skipped.slice(0, SHOWN_SOURCES).map(skippedNote),
    ...(skipped.length > SHOWN_SOURCES
      ? [`${skipped.length - SHOWN_SOURCES} more sources are not read.`]
      : []),
  ];
}

async function vectorNotes(
  embedder: RemarksOptions['embedder'],
  { store }: Project,
): Promise<readonly string[]> {
  const { pending } = await store.vectors.status();
  const problem = await store.comparisonProblem();
  const { state, failure } = embedder.status();
  const consequence =
    state === 'absent' || state === 'failed'
      ? `the embedding model ${embedder.model} cannot be used here, so searches use keywords alone for them`
      : 'the background work of a running service, or "ingest", makes them';
  const chunks = pending === 1 ? '1 chunk has' : `${pending} chunks have`;
  return [
    ...(pending > 0 ? [`${chunks} no vector yet: ${consequence}.`] : []),
    ...[state === 'failed' ? failure : undefined, problem].filter((note) => note !== undefined),
  ];
}

function skippedNote({ sourceFile, reason }: SkippedSource): string {
  return `${sourceFile} is not read: ${reason}.`;
}

const SHOWN_SOURCES = 20;
const SHOWN_FILES = 5;

const KINDS: Readonly<Record<Leftover['kind'], string>> = {
  temporary: 'a temporary file',
  damaged: 'a damaged database that was set aside',
  replaced: 'the log of a database that was moved, replaced or removed',
};

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
