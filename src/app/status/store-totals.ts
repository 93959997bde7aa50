import type { EmbeddingModel } from '../../ports/embedder.js';
import { countVectors, type Refusals } from '../enrichment/refused-texts.js';
import type { Project } from '../project.js';

export interface StoreTotals {
  readonly stores: number;
  readonly chunks: number;
  readonly bytes: number;
  readonly pendingVectors: number;
  readonly pendingQuestions: number;
}

/** Adds up the figures of stores. An unreadable store counts as empty, and refused texts are not pending. */
export async function sumTotals(
  projects: readonly CountedProject[],
  embedder: Pick<EmbeddingModel, 'status'>,
): Promise<StoreTotals> {
  const counted = await Promise.all(
    projects.map((project) => readCounts(project, embedder).catch(() => NOTHING)),
  );
  const sum = (name: keyof Counts) => counted.reduce((total, counts) => total + counts[name], 0);
  return {
    stores: counted.length,
    chunks: sum('chunks'),
    bytes: sum('bytes'),
    pendingVectors: sum('pendingVectors'),
    pendingQuestions: sum('pendingQuestions'),
  };
}

interface CountedProject extends Project {
  readonly refusals: Refusals;
}

type Counts = Omit<StoreTotals, 'stores'>;

const NOTHING: Counts = { chunks: 0, bytes: 0, pendingVectors: 0, pendingQuestions: 0 };

async function readCounts(
  project: CountedProject,
  embedder: Pick<EmbeddingModel, 'status'>,
): Promise<Counts> {
  const { totalChunks, sizeBytes } = await project.store.chunks.stats();
  return {
    chunks: totalChunks,
    bytes: sizeBytes,
    pendingVectors: (await countVectors(project, 'content', embedder)).pending,
    pendingQuestions: (await countVectors(project, 'questions', embedder)).pending,
  };
}
