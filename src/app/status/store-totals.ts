import type { Project } from '../project.js';

export interface StoreTotals {
  readonly stores: number;
  readonly chunks: number;
  readonly bytes: number;
  readonly pendingVectors: number;
  readonly pendingQuestions: number;
}

/** Sums the totals of stores; an unreadable store counts as empty. */
export async function sumTotals(projects: readonly Project[]): Promise<StoreTotals> {
  const counted = await Promise.all(
    projects.map((project) => readCounts(project).catch(() => NOTHING)),
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

type Counts = Omit<StoreTotals, 'stores'>;

const NOTHING: Counts = { chunks: 0, bytes: 0, pendingVectors: 0, pendingQuestions: 0 };

async function readCounts({ store }: Project): Promise<Counts> {
  const { totalChunks, sizeBytes } = await store.chunks.stats();
  return {
    chunks: totalChunks,
    bytes: sizeBytes,
    pendingVectors: (await store.vectors.status('content')).pending,
    pendingQuestions: (await store.vectors.status('questions')).pending,
  };
}
