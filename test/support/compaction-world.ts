import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpenAISummarizer } from '../../src/adapters/openai/openai-summarizer.js';
import type { ProjectFiles } from '../../src/ports/driven/project-files.js';
import type { Summarizer } from '../../src/ports/driven/summarizer.js';
import { makeFeatureWorld } from './feature-world.js';
import type { Reply } from './model-endpoint.js';
import { startChat } from './model-endpoint-chat.js';
import { answering } from './model-endpoint-replies.js';
import { REAL_PROJECT } from './real-project.js';

export const ARCHITECTURE = 'memory/architecture.md';
const THRESHOLD = 10_000;

/** Keeps every heading and the first line under it. */
export const shortening = answering(({ data }) => shortened(data));

export function shortened(text: string): string {
  return text.match(/^#.*\n.*$/gm)?.join('\n\n') ?? '';
}

export interface CompactionOptions {
  readonly reply?: Reply;
  readonly timeoutMs?: number;
  /** Replaces the adapter that calls the endpoint. */
  readonly summarizer?: Summarizer;
  readonly filesOver?: (real: ProjectFiles) => ProjectFiles;
}

/** The real architecture.md, indexed, in a world whose model is an endpoint. */
export async function startCompaction(options: CompactionOptions = {}) {
  const { reply = shortening, timeoutMs, ...rest } = options;
  const { chat, endpoint } = await startChat(reply);
  const summarizer = new OpenAISummarizer(chat, timeoutMs);
  const world = await makeFeatureWorld({ appDir: REAL_PROJECT.appDir, summarizer, ...rest });
  const text = await readFile(join(REAL_PROJECT.path, REAL_PROJECT.appDir, ARCHITECTURE), 'utf8');
  await world.write(ARCHITECTURE, text);
  const project = await world.projects.open(world.path);
  await world.ingestion.ingestCategories(project);
  return {
    endpoint,
    world,
    text,
    compact: (threshold = THRESHOLD) =>
      world.compaction.compact(project, 'architecture', threshold),
    history: (): Promise<readonly string[]> => readdir(world.at('memory/.history')).catch(() => []),
    async idsFor(query: string): Promise<readonly string[]> {
      const { results } = await world.searches.search(project, query, { maxResults: 50 });
      return results.map(({ chunk }) => chunk.id);
    },
    async dispose() {
      await endpoint.close();
      await world.dispose();
    },
  };
}

export type CompactionWorld = Awaited<ReturnType<typeof startCompaction>>;
