import { beforeEach, describe, expect, it } from 'vitest';
import { ModelCallError } from '../../../src/domain/errors.js';
import { FakeSummarizer } from '../../fakes/fake-summarizer.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';

const P = '/project';
const FILE = '.knowledge/memory/db.md';
const HISTORY = '.knowledge/memory/.history';
const TEXT = `## Storage\n\n${'Pages are written once. '.repeat(100)}\n`;
const SUMMARY = `## Storage\n\n${'Pages are written once. '.repeat(20).trim()}\n`;

let summarizer: FakeSummarizer;
let world: CoreInMemory;
let files: CoreInMemory['ports']['files'];

beforeEach(() => {
  summarizer = new FakeSummarizer();
  summarizer.maxCharacters = 100_000;
  summarizer.answer = () => SUMMARY;
  world = coreInMemory({ summarizer });
  files = world.ports.files;
  files.set(FILE, TEXT);
});

const compact = () => world.core.store.compactCategory(P, 'db', 10);

const kept = () => files.paths.filter((path) => path.startsWith(HISTORY));
const containing = (text: string) => expect.stringContaining(text);

describe('a compaction', () => {
  it('replaces the text with a summary, keeps the old one in the history and says so', async () => {
    const report = await compact();
    expect(report).toMatchObject({ compacted: true, reason: containing('history') });
    expect(report.tokensAfter).toBeLessThan(report.tokensBefore);
    expect(files.text(FILE)).toBe(SUMMARY);
    expect(kept()).toEqual([`${HISTORY}/db-2026-01-01T00-00-00.000Z.md`]);
    expect(files.text(kept()[0] ?? '')).toBe(TEXT);
  });

  it('needs a model over the threshold alone', async () => {
    summarizer.available = false;
    const { tokensBefore, ...report } = await world.core.store.compactCategory(P, 'db');
    expect(report).toMatchObject({ compacted: false, tokensAfter: tokensBefore });
    expect(report.reason).toContain('threshold');
    await expect(compact()).rejects.toMatchObject({ code: 'model_unavailable' });
  });

  it('says in how many parts it would be done, without asking the model', async () => {
    summarizer.maxCharacters = 1_500;
    const { reason } = await world.core.store.previewCompaction(P, 'db', 10);
    expect(reason).toMatch(/over the threshold and would be summarized in [2-9] part/);
    expect(summarizer.calls).toEqual([]);
  });

  it.each<readonly [string, () => void, string]>([
    ['is worth nothing', () => answer(() => 'OK'), 'shorter than a tenth'],
    ['is empty in a part', emptyPart, 'The summary is empty.'],
    ['failed', () => fail('failed'), 'The summary failed: Down.'],
    ['was throttled', () => fail('throttled'), 'The summary failed: Down.'],
    ['was refused', () => fail('refused'), 'The summary failed: Down.'],
    ['was unusable', () => fail('unusable'), 'The summary failed: Down.'],
  ])('changes nothing where the summary %s, and says why', async (_, spoil, reason) => {
    spoil();
    const before = files.text(FILE);
    expect(await compact()).toMatchObject({ compacted: false, reason: containing(reason) });
    expect(files.text(FILE)).toBe(before);
    expect(kept()).toEqual([]);
  });

  it.each([
    ['changes', () => files.set(FILE, 'other'), 'other'],
    ['goes', () => files.delete(FILE), undefined],
  ])('leaves alone a category that %s while the model is working', async (_, happens, after) => {
    answer(() => {
      happens();
      return SUMMARY;
    });
    expect(await compact()).toMatchObject({
      compacted: false,
      reason: containing('changed while'),
    });
    expect(files.text(FILE)).toBe(after);
  });

  it.each([
    ['not_configured', 'No small language model is configured; set OPENAI_BASE_URL'],
    ['unreachable', 'The small language model cannot be reached; check OPENAI_BASE_URL'],
  ] as const)('says that a model is %s', async (failure, message) => {
    fail(failure);
    await expect(compact()).rejects.toMatchObject({
      code: 'model_unavailable',
      message: containing(message),
    });
  });

  it('does not report a bug as a failed summary', async () => {
    const bug = new TypeError('a bug');
    answer(() => {
      throw bug;
    });
    await expect(compact()).rejects.toBe(bug);
  });
});

describe('a category', () => {
  it.each(['compactCategory', 'previewCompaction'] as const)(
    'that does not exist, may not be read, or has the name of a path is refused: %s',
    async (method) => {
      const { store } = world.core;
      files.refuse(FILE, 'no permission');
      const code = 'category_not_found';
      for (const name of ['none', 'db']) {
        const message = containing(`"${name}"`);
        await expect(store[method](P, name, 10)).rejects.toMatchObject({ code, message });
      }
      await expect(store[method](P, '../db', 10)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/^categoryFile must/),
      });
    },
  );
});

function answer(text: (asked: string) => string): void {
  summarizer.answer = text;
}

function fail(failure: ConstructorParameters<typeof ModelCallError>[0]): void {
  summarizer.failure = new ModelCallError(failure, 'Down.');
}

function emptyPart(): void {
  files.set(FILE, `${TEXT}\n${TEXT.replace('Storage', 'Locks')}`);
  summarizer.maxCharacters = 3_000;
  const answers = ['## Storage\n\nPages are written once.', ' \n'];
  answer(() => answers.shift() ?? '');
}
