import { describe, expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import type { Project } from '../../../src/app/project.js';
import {
  describeSimilar,
  findByMeaning,
  type SimilarChunksDeps,
} from '../../../src/app/saved/similar-chunks.js';
import { MAX_TOKENS_RANGE } from '../../../src/domain/limits.js';
import { REFERENCE_SCALE } from '../../../src/domain/ranking/cosine-scale.js';
import { FixedClock } from '../../fakes/fixed-clock.js';

const chunk = (id: number) => ({
  chunk: { id: `docs/a.md#${id}`, sourceFile: 'docs/a.md', heading: 'A', content: `text ${id}` },
});

it('compares a text with as many chunks as time allows while the model is busy', async () => {
  const clock = new FixedClock();
  const embedder = {
    model: 'slow',
    status: () => ({ state: 'ready' }),
    async embed(_text: string, signal: AbortSignal) {
      await clock.sleep(600, signal);
      return new Float32Array([1]);
    },
  };
  const deps = {
    clock,
    embedder,
    relevanceScales: { read: async () => REFERENCE_SCALE },
    search: { byText: async () => ({ results: [0, 1, 2, 3, 4, 5, 6, 7].map(chunk) }) },
  } as unknown as SimilarChunksDeps;
  const vectors = { similarities: async () => new Map() };
  const project = { path: '/project', store: { vectors } } as unknown as Project;

  let known: Awaited<ReturnType<typeof findByMeaning>> | undefined;
  findByMeaning(deps, project, { title: 'A', content: 'text', except: [] }).then((found) => {
    known = found;
  });
  let waited = 0;
  for (; known === undefined && waited < 10_000; waited += 100) {
    await new Promise(setImmediate);
    clock.advance(100);
  }
  expect(waited).toBeLessThanOrEqual(2_100);
  expect(known?.map((one) => one.chunk.id)).toEqual(['docs/a.md#0', 'docs/a.md#1']);
});

describe('the chunks compared with a text by meaning', () => {
  const TEXT = { title: 'A', content: 'text', except: ['docs/new.md'] };
  const WHOLE = 'A. text';

  /** Texts have these vectors; the model refuses others. */
  const compare = async (
    vectors: Readonly<Record<string, readonly number[]>>,
    { stored = new Map<string, number>(), state = 'ready', scale = true } = {},
  ) => {
    const asked: unknown[] = [];
    const embedder = {
      model: 'model',
      status: () => ({ state }),
      async embed(text: string) {
        asked.push(text);
        const vector = vectors[text];
        if (vector === undefined) throw new Error('The model refuses this text.');
        return new Float32Array(vector);
      },
    };
    const byText = async (request: object) => {
      asked.push(request);
      return { results: [0, 1, 2].map(chunk) };
    };
    const deps = {
      clock: new FixedClock(),
      embedder,
      relevanceScales: { read: async () => (scale ? REFERENCE_SCALE : undefined) },
      search: { byText },
    } as unknown as SimilarChunksDeps;
    const similarities = async (...args: unknown[]) => {
      asked.push(args);
      return stored;
    };
    const project = { path: '/project', store: { vectors: { similarities } } };
    const known = await findByMeaning(deps, project as unknown as Project, TEXT);
    return { asked, relevance: new Map(known.map((one) => [one.chunk.id, one.relevance])) };
  };

  it('are found by a search that does not count, and need no model if their vectors are stored', async () => {
    const ids = [0, 1, 2].map((id) => `docs/a.md#${id}`);
    const stored = new Map(ids.map((id, i) => [id, 1 - i / 2]));
    const { asked, relevance } = await compare({ [WHOLE]: [1, 0] }, { stored });
    const vector = new Float32Array([1, 0]);
    expect(asked).toEqual([
      WHOLE,
      {
        projectPath: '/project',
        profile: 'reading',
        retrievals: 'uncounted',
        query: WHOLE,
        vector,
        excludedSources: ['docs/new.md'],
        maxResults: 8,
        maxTokens: MAX_TOKENS_RANGE.max,
      },
      ['content', vector, ids],
    ]);
    expect([...relevance.keys()]).toEqual(ids);
    const [first = 0, second = 0, third = 0] = relevance.values();
    expect([first > 0.9, second < first, third < second]).toEqual([true, true, true]);
  });

  it('are embedded if they have no vector yet, and left out if the model refuses them', async () => {
    const vectors = { [WHOLE]: [1, 0], 'A. text 0': [1, 0], 'A. text 2': [0, 1] };
    const { asked, relevance } = await compare(vectors);
    expect(asked.slice(3)).toEqual(['A. text 0', 'A. text 1', 'A. text 2']);
    expect([...relevance.keys()]).toEqual(['docs/a.md#0', 'docs/a.md#2']);
    expect(relevance.get('docs/a.md#0')).toBeGreaterThan(relevance.get('docs/a.md#2') ?? 1);
  });

  it.each(['absent', 'failed'])('are none while the model is %s', async (state) => {
    const { asked, relevance } = await compare({ [WHOLE]: [1, 0] }, { state });
    expect([asked, relevance.size]).toEqual([[], 0]);
  });

  it('are none if the scale of the model is unknown', async () => {
    const { asked, relevance } = await compare({ [WHOLE]: [1, 0] }, { scale: false });
    expect([asked, relevance.size]).toEqual([[], 0]);
  });

  it('are none if the model refuses the text', async () => {
    const { asked, relevance } = await compare({});
    expect([asked, relevance.size]).toEqual([[WHOLE], 0]);
  });
});

describe('the chunks reported as similar', () => {
  const known = (sourceFile: string, relevance: number, content = `Of ${sourceFile}.`) => ({
    chunk: { id: `${sourceFile}#0`, sourceFile, content },
    relevance,
  });

  const report = async (chunks: readonly ReturnType<typeof known>[]) => {
    const lines = async () => new Map([['b.md#0', 7]]);
    const project = { path: '/project', store: { chunks: { findLines: lines } } };
    return describeSimilar(
      { appDirs: appDirectories('.knowledge') },
      project as unknown as Project,
      chunks as unknown as Parameters<typeof describeSimilar>[2],
    );
  };

  it('are the most similar one of each of three files', async () => {
    const all = [
      known('a.md', 0.7),
      known('b.md', 0.8),
      known('c.md', 0.9),
      known('d.md', 1),
      known('b.md', 0.95),
      known('b.md', 0.75),
    ];
    expect(await report(all)).toEqual([
      { id: 'd.md#0', sourceFile: 'd.md', line: 1, relevance: 1, text: 'Of d.md.' },
      { id: 'b.md#0', sourceFile: 'b.md', line: 7, relevance: 0.95, text: 'Of b.md.' },
      { id: 'c.md#0', sourceFile: 'c.md', line: 1, relevance: 0.9, text: 'Of c.md.' },
    ]);
  });

  it('are neither conversations nor less similar ones', async () => {
    const all = [known('.knowledge/sessions/a.md', 1), known('a.md', 0.7), known('b.md', 0.699)];
    expect((await report(all)).map(({ id }) => id)).toEqual(['a.md#0']);
  });

  it.each([
    ['\n\n  First line.\nSecond line.', 'First line.'],
    ['x'.repeat(301), 'x'.repeat(300)],
    [' \n', ''],
  ])('show their first line with text, of %j', async (content, text) => {
    expect(await report([known('a.md', 1, content)])).toMatchObject([{ text }]);
  });
});
