import { z } from 'zod';
import type { StatusService } from '../../../ports/driving/status-service.js';
import { hybridStats } from '../../../schemas/stats.js';
import { statusResponse } from '../../../schemas/status.js';
import { project } from './arguments.js';
import { type Tool, tool } from './tool.js';

const output = z.object({
  project: z.string().describe('Absolute path of the project that was looked at.'),
  stats: hybridStats.pick({ totalChunks: true, uniqueSources: true, lastUpdated: true }),
  ...statusResponse.shape,
});

/** What is indexed, and how far the background work has come. */
export function statusTool(store: StatusService): Tool {
  return tool({
    name: 'status',
    title: 'Status of the project knowledge',
    description:
      'Says which project is used, how many chunks it has, and how many of them can be found by meaning yet. Use it if a search finds nothing.',
    effect: 'reads',
    input: z.object({ project }),
    output,
    answer: async (projectPath) => {
      const structured = {
        project: projectPath,
        stats: await store.getStats(projectPath),
        embeddings: await store.getEmbeddingStatus(projectPath),
        hype: await store.getHypeStatus(projectPath),
        model: store.getModelStatus(),
      };
      return { text: textOf(structured), structured };
    },
  });
}

function textOf({ project, stats, embeddings, hype, model }: z.output<typeof output>): string {
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
  ].join('\n');
}
