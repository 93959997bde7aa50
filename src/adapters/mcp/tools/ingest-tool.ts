import * as z from 'zod';
import { fencedText } from '../../../domain/lessons/fenced-text.js';
import { oneLine } from '../../../domain/lessons/lesson-text.js';
import type { IngestionService } from '../../../ports/driving/ingestion-service.js';
import { previewOf } from '../answers/budget.js';
import { DEFAULT_ANSWER_TOKENS } from '../limits.js';
import { project, type Tool, tool } from './tool.js';

/** Brings the index up to date with the files of a project. */
export function ingestTool(store: IngestionService): Tool {
  return tool({
    name: 'ingest',
    title: 'Index the project knowledge',
    description:
      'Brings the index up to date with the files of the project: reflections, agent outputs, memory notes and markdown. Use it once for a project that was never indexed, and after you have written such files. Unchanged files cost nothing.',
    effect: 'writes',
    input: z.object({ project }),
    answer: async (projectPath, _, watching) => {
      const structured = await store.readAllSources(projectPath, watching);
      return { text: textOf(structured), structured };
    },
  });
}

function textOf({
  indexed,
  skipped,
}: Awaited<ReturnType<IngestionService['readAllSources']>>): string {
  const sentence = `The index holds ${indexed} ${indexed === 1 ? 'file' : 'files'}.`;
  if (skipped.length === 0) return sentence;
  const list = skipped
    .map(({ sourceFile, reason }) => `${oneLine(sourceFile)}: ${reason}`)
    .join('\n');
  const shown = previewOf(list, DEFAULT_ANSWER_TOKENS / 2).text;
  return `${sentence} ${skipped.length} were skipped:\n\n${fencedText(shown)}`;
}
