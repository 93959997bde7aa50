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

  it('leaves a category alone that vanished while it was summarized', async () => {
    summarizer.answer = (text) => {
      world.remove('memory/Storage.md');
      return text.slice(0, text.length / 2);
    };
    expect(await compact(10)).toMatchObject({ compacted: false });
    await expect(world.read('memory/Storage.md')).rejects.toThrow('ENOENT');
  });
});

async function compact(threshold: number) {
  const project = await world.projects.open(world.path);
  return world.compaction.compact(project, 'Storage', threshold);
}
