import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModelCallError } from '../../../src/domain/errors.js';
import { FakeSummarizer } from '../../fakes/fake-summarizer.js';
import { type FeatureWorld, makeFeatureWorld } from '../../support/feature-world.js';

const TEXT = `# Storage\n\n${'Pages are written once. '.repeat(100)}\n`;

let summarizer: FakeSummarizer;
let world: FeatureWorld;

beforeEach(async () => {
  summarizer = new FakeSummarizer();
  summarizer.maxCharacters = 10_000;
  world = await makeFeatureWorld({ summarizer });
  await world.write('memory/Storage.md', TEXT);
});
afterEach(() => world.dispose());

describe('compacting a category', () => {
  it.each([true, false])(
    'under the threshold is not needed, model available or not (%s)',
    async (available) => {
      summarizer.available = available;
      const report = await compact(1_000_000);
      expect(report).toMatchObject({
        compacted: false,
        reason: expect.stringContaining('threshold'),
      });
      expect(report.tokensAfter).toBe(report.tokensBefore);
    },
  );

  it('over the threshold needs a model', async () => {
    summarizer.available = false;
    await expect(compact(10)).rejects.toMatchObject({ code: 'model_unavailable' });
  });

  it('replaces the text with a summary that keeps enough of it', async () => {
    summarizer.answer = () => `# Storage\n\n${'Pages are written once. '.repeat(20)}`;
    expect(await compact(10)).toMatchObject({ compacted: true });
    expect(await world.read('memory/.history/Storage-2026-01-05T12-00-00.000Z.md')).toBe(TEXT);
  });

  it('refuses the answer OK', async () => {
    summarizer.answer = () => 'OK';
    expect(await compact(10)).toMatchObject({ compacted: false });
    expect(await world.read('memory/Storage.md')).toBe(TEXT);
  });

  it.each(['failed', 'throttled', 'refused', 'unusable'] as const)(
    'says why where the call of the model is %s',
    async (failure) => {
      summarizer.failure = new ModelCallError(failure, 'Down.');
      expect(await compact(10)).toMatchObject({
        compacted: false,
        reason: 'The summary failed: Down.',
      });
    },
  );

  it('does not report a bug as a failed summary', async () => {
    const bug = new TypeError('a bug');
    summarizer.answer = () => {
      throw bug;
    };
    await expect(compact(10)).rejects.toBe(bug);
  });

  it('leaves a category alone that disappeared while it was being summarized', async () => {
    summarizer.answer = (text) => {
      world.remove('memory/Storage.md');
      return text.slice(0, text.length / 2);
    };
    expect(await compact(10)).toMatchObject({ compacted: false });
    await expect(world.read('memory/Storage.md')).rejects.toThrow('ENOENT');
  });
});

describe('taking back a compaction', () => {
  const SUMMARY = `# Storage\n\n${'Pages are written once. '.repeat(20)}`;
  beforeEach(() => {
    summarizer.answer = () => SUMMARY;
  });

  it('puts the old text back, keeps the summary in the history and indexes the category', async () => {
    await compact(10);
    const { tokensAfter } = await compact(10_000);
    expect(await restore()).toEqual({
      restored: true,
      tokensBefore: tokensAfter,
      tokensAfter: 522.6,
    });
    expect(await world.read('memory/Storage.md')).toBe(TEXT);
    const kept = 'memory/.history/Storage-2026-01-05T12-00-00.000Z-restored.md';
    expect(await world.read(kept)).toBe(`${SUMMARY.trim()}\n`);
    const project = await world.projects.open(world.path);
    const sources = await project.store.chunks.indexedSources();
    expect(sources).toMatchObject([{ sourceFile: '.knowledge/memory/Storage.md', chunkCount: 3 }]);
  });

  it('is done once, and again only after another compaction', async () => {
    await compact(10);
    await restore();
    await expect(restore()).rejects.toMatchObject({ code: 'not_found' });
    expect(await world.read('memory/Storage.md')).toBe(TEXT);
    world.clock.advance(1);
    await compact(10);
    expect(await restore()).toMatchObject({ restored: true });
  });

  it('is refused where there was none, whatever other categories have', async () => {
    await world.write('memory/.history/Storage-2-2026-01-05T12-00-00.000Z.md', 'another');
    await world.write('memory/.history/torage-2026-01-05T12-00-00.000Z.md', 'another');
    await expect(restore()).rejects.toMatchObject({ code: 'not_found' });
  });

  async function restore(category = 'Storage') {
    return world.compaction.restore(await world.projects.open(world.path), category);
  }
});

async function compact(threshold: number) {
  const project = await world.projects.open(world.path);
  return world.compaction.compact(project, 'Storage', threshold);
}
