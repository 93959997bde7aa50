import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { summarizer } from '../../src/adapters/openai/language-model.js';
import { splitFrontmatter } from '../../src/domain/chunks/frontmatter.js';
import { estimateTokens } from '../../src/domain/chunks/text.js';
import { makeFeatureWorld } from '../support/feature-world.js';
import { startChat } from '../support/model-endpoint-chat.js';
import { answering } from '../support/model-endpoint-replies.js';
import { hasRealProject, REAL_PROJECT } from '../support/real-project.js';

const ARCHITECTURE = 'memory/architecture.md';
const THRESHOLD = 10_000;

describe.skipIf(!hasRealProject)('compaction of the real architecture.md', () => {
  let subject: CompactionWorld;
  beforeEach(async () => {
    subject = await startCompaction();
  });
  afterEach(() => subject.dispose());

  it('keeps frontmatter and headings, the old bytes in the history, and the index up to date', async () => {
    const { compact, endpoint, history, idsFor, text, world } = subject;
    const report = await compact();
    const after = await world.read(ARCHITECTURE);
    expect(report).toEqual({
      compacted: true,
      reason: expect.stringContaining('history'),
      tokensBefore: estimateTokens(text),
      tokensAfter: estimateTokens(after),
    });
    expect(report.tokensAfter).toBeLessThan(report.tokensBefore);
    expect(frontmatterOf(after)).toBe(frontmatterOf(text));
    expect(headingsIn(after)).toEqual(headingsIn(text));
    expect(headingsIn(after)).toHaveLength(271);
    expect(endpoint.requests.length).toBeGreaterThan(5);
    const sent = endpoint.requests.map(({ data }) => data).join('\n');
    expect(sent.match(/CallDirection and CallStatus as distinct type literals/g)).toHaveLength(1);
    expect(sent).not.toContain('usageStats');
    const [kept = ''] = await history();
    expect(await world.read(`memory/.history/${kept}`)).toBe(text);
    expect(await idsFor('"Breaking if changed"')).toEqual([]);
    expect(await idsFor('"Test file naming convention"')).not.toEqual([]);
  });

  it('leaves the file as it is where the old text cannot be kept', async () => {
    const { compact, text, world } = subject;
    await world.write('memory/.history', 'in the way');
    await expect(compact()).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await world.read(ARCHITECTURE)).toBe(text);
  });
});

function frontmatterOf(text: string): string {
  return text.slice(0, text.length - splitFrontmatter(text).body.length);
}

function headingsIn(text: string): readonly string[] {
  return text.match(/^#+ .*$/gm) ?? [];
}

/** Keeps every heading and the first line under it. */
function shortened(text: string): string {
  return text.match(/^#.*\n.*$/gm)?.join('\n\n') ?? '';
}

type CompactionWorld = Awaited<ReturnType<typeof startCompaction>>;

/** The real architecture.md, indexed, in a world whose model is an endpoint. */
async function startCompaction() {
  const { chat, endpoint } = await startChat(answering(({ data }) => shortened(data)));
  const { appDir } = REAL_PROJECT;
  const world = await makeFeatureWorld({ appDir, summarizer: summarizer(chat) });
  const text = await readFile(join(REAL_PROJECT.path, appDir, ARCHITECTURE), 'utf8');
  await world.write(ARCHITECTURE, text);
  const project = await world.projects.open(world.path);
  await world.ingestion.ingestGroup(project, 'categories');
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
