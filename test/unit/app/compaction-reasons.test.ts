import { beforeEach, describe, expect, it } from 'vitest';
import { ModelCallError } from '../../../src/domain/errors.js';
import { FakeSummarizer } from '../../fakes/fake-summarizer.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const FILE = '.knowledge/memory/db.md';
const HISTORY = '.knowledge/memory/.history/';
const TEXT = `## Storage\n\n${'Pages are written once. '.repeat(100)}\n`;

let summarizer: FakeSummarizer;
let world: CoreInMemory;

beforeEach(() => {
  summarizer = new FakeSummarizer();
  summarizer.maxCharacters = 100_000;
  summarizer.answer = () => `## Storage\n\n${'Pages are written once. '.repeat(20)}`;
  world = coreInMemory({ summarizer });
  world.ports.files.set(FILE, TEXT);
});

const compact = () => world.core.store.compactCategory(P, 'db', 10);
const restore = () => world.core.store.restoreCategory(P, 'db');

describe('a draft of a compaction', () => {
  const draft = (threshold = 10) => world.core.store.draftCompaction(P, 'db', threshold);

  it('has both texts, changes nothing, and is what a compaction then writes without asking again', async () => {
    const { before, after = '', ...report } = await draft();
    expect(report).toMatchObject({ compacted: true, reason: expect.stringContaining('summary') });
    expect(before).toBe(TEXT);
    expect(world.ports.files.text(FILE)).toBe(TEXT);
    summarizer.answer = () => 'Another answer.';
    expect(await compact()).toMatchObject({ compacted: true, tokensAfter: report.tokensAfter });
    expect(world.ports.files.text(FILE)).toBe(after);
    expect(summarizer.calls).toHaveLength(1);
  });

  it('is not written where the category has changed since', async () => {
    await draft();
    world.ports.files.set(FILE, `${TEXT}\nMore.`);
    await compact();
    expect(summarizer.calls).toHaveLength(2);
  });

  it('has no new text where a compaction would be refused or is not needed', async () => {
    summarizer.answer = () => 'OK';
    expect(await draft()).toMatchObject({ compacted: false, before: TEXT });
    expect(await draft(1_000_000)).toMatchObject({ compacted: false, before: TEXT });
    expect(await draft()).not.toHaveProperty('after');
  });
});

describe('a compaction says', () => {
  it('in how many parts it would be done, without asking the model', async () => {
    summarizer.maxCharacters = 1_500;
    const { reason } = await world.core.store.previewCompaction(P, 'db', 10);
    expect(reason).toMatch(/over the threshold and would be summarized in [2-9] part/);
    expect(summarizer.calls).toEqual([]);
  });

  it('that it was done, and where the old text is', async () => {
    const report = await compact();
    expect(report).toMatchObject({ compacted: true, reason: expect.stringContaining('history') });
    expect(report.tokensAfter).toBeLessThan(report.tokensBefore);
    expect(kept()).toEqual([TEXT]);
  });

  it('that a part of the summary is empty', async () => {
    world.ports.files.set(FILE, `${TEXT}\n${TEXT.replace('Storage', 'Locks')}`);
    summarizer.maxCharacters = 3_000;
    const answers = ['## Storage\n\nPages are written once.', ' \n'];
    summarizer.answer = () => answers.shift() ?? '';
    expect(await compact()).toMatchObject({ compacted: false, reason: 'The summary is empty.' });
    expect(kept()).toEqual([]);
  });

  it('that the category changed meanwhile', async () => {
    const answer = summarizer.answer;
    summarizer.answer = (text) => {
      world.ports.files.set(FILE, 'written by somebody else');
      return answer?.(text) ?? '';
    };
    expect(await compact()).toMatchObject({
      compacted: false,
      reason: expect.stringContaining('changed while'),
    });
    expect(world.ports.files.text(FILE)).toBe('written by somebody else');
  });

  it.each(['not_configured', 'unreachable'] as const)('that a model is %s', async (failure) => {
    summarizer.failure = new ModelCallError(failure, 'No.');
    await expect(compact()).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringContaining('No small language model can be reached'),
    });
  });
});

describe('a category', () => {
  it.each(['compactCategory', 'previewCompaction'] as const)(
    'that does not exist is refused: %s',
    async (method) => {
      await expect(world.core.store[method](P, 'none', 10)).rejects.toMatchObject({
        code: 'category_not_found',
        message: expect.stringContaining('"none"'),
      });
    },
  );

  it.each(['compactCategory', 'restoreCategory'] as const)(
    'with a name that could be a path is refused: %s',
    async (method) => {
      await expect(world.core.store[method](P, '../db')).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/^categoryFile must/),
      });
    },
  );

  it('that may not be read counts as missing', async () => {
    world.ports.files.refuse(FILE, 'no permission');
    await expect(compact()).rejects.toMatchObject({ code: 'category_not_found' });
  });
});

describe('taking a compaction back', () => {
  it('is possible where the file has gone', async () => {
    await compact();
    world.ports.files.delete(FILE);
    expect(await restore()).toMatchObject({ restored: true, tokensBefore: 0 });
    expect(world.ports.files.text(FILE)).toBe(TEXT);
  });

  it('is not possible where the old text may not be read', async () => {
    await compact();
    const old = world.ports.files.paths.find((path) => path.startsWith(HISTORY)) ?? '';
    world.ports.files.refuse(old, 'no permission');
    await expect(restore()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('leaves alone what somebody writes meanwhile', async () => {
    await compact();
    const { files } = world.ports;
    const copy = files.copy.bind(files);
    files.copy = async (project, from, to) => {
      await copy(project, from, to);
      files.set(FILE, 'written by somebody else');
    };
    await expect(restore()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('"db" changed while'),
    });
    expect(files.text(FILE)).toBe('written by somebody else');
  });
});

function kept(): readonly (string | undefined)[] {
  const { files } = world.ports;
  return files.paths.filter((path) => path.startsWith(HISTORY)).map((path) => files.text(path));
}
