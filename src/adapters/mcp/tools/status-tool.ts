import * as z from 'zod';
import type { VectorStatus } from '../../../domain/stats.js';
import type { CitationService } from '../../../ports/driving/citation-service.js';
import type {
  KnowledgeStats,
  ModelStatus,
  StatusService,
} from '../../../ports/driving/status-service.js';
import { project, type Tool, tool } from './tool.js';

interface StatusParts {
  readonly store: StatusService;
  readonly citations: CitationService;
}

/** What is indexed, and how far the background work has come. */
export function statusTool({ store, citations }: StatusParts): Tool {
  return tool({
    name: 'status',
    title: 'Status of the project knowledge',
    description:
      'Says which project is used, how many chunks it has, and how many of them can be found by meaning yet. Use it if a search finds nothing.',
    effect: 'reads',
    input: z.object({ project }),
    answer: async (projectPath) => {
      const { totalChunks, uniqueSources, lastUpdated } = await store.getStats(projectPath);
      const structured: StatusAnswer = {
        project: projectPath,
        stats: { totalChunks, uniqueSources, ...(lastUpdated !== undefined && { lastUpdated }) },
        embeddings: await store.getEmbeddingStatus(projectPath),
        hype: await store.getHypeStatus(projectPath),
        model: await store.getModelStatus(),
        stale: (await citations.staleChunks(projectPath)).length,
      };
      return { text: textOf(structured), structured };
    },
  });
}

interface StatusAnswer {
  readonly project: string;
  readonly stats: Pick<KnowledgeStats, 'totalChunks' | 'uniqueSources' | 'lastUpdated'>;
  readonly embeddings: VectorStatus;
  readonly hype: VectorStatus;
  readonly model: ModelStatus;
  /** Number of chunks that cite what has changed or is gone. */
  readonly stale: number;
}

function textOf({ project, stats, embeddings, hype, model, stale }: StatusAnswer): string {
  const updated = stats.lastUpdated === undefined ? '' : `, last changed ${stats.lastUpdated}`;
  const content =
    stats.totalChunks === 0
      ? 'Nothing is indexed yet; call ingest.'
      : `${stats.totalChunks} chunks of ${stats.uniqueSources} files${updated}.`;
  return [
    `Project: ${project}`,
    content,
    `Vectors: ${embeddings.complete} complete, ${embeddings.pending} pending.`,
    `Questions: ${hype.complete} complete, ${hype.pending} pending.`,
    `Model ${model.name}: ${model.state}.`,
    ...(stale === 0
      ? []
      : [`Stale: ${stale}, because files that they cite have changed or are gone.`]),
  ].join('\n');
}
