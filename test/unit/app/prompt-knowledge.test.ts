import { beforeEach, describe, expect, it } from 'vitest';
import { PromptKnowledge } from '../../../src/app/lessons/prompt-knowledge.js';
import type { SearchParameters } from '../../../src/app/search/retrieval.js';
import type { SearchResult } from '../../../src/domain/ranking/search.js';
import type { SearchAnswer } from '../../../src/schemas/explanation.js';
import { chunk } from '../../support/chunks.js';

const FOUND = [
  ['docs/a.md', 'Writers wait for the lock.', 0.95],
  ['docs/b.md', 'The lock is a file.', 0.9],
  ['docs/copy-of-a.md', 'Writers wait for the lock.', 0.88],
  ['docs/c.md', 'Locks end after a minute.', 0.85],
  ['docs/d.md', 'Readers never wait.', 0.8],
  ['docs/e.md', 'Something else.', 0.79],
] as const;

describe('the knowledge for a prompt', () => {
  let shown: Map<string, readonly string[]>;
  let asked: SearchParameters[];
  let results: readonly SearchResult[];
  beforeEach(() => {
    shown = new Map();
    asked = [];
    results = FOUND.map(([sourceFile, content, relevance]) => ({
      chunk: chunk(sourceFile, 0, { content }),
      score: 1,
      relevance,
    }));
  });

  const knowledge = () =>
    new PromptKnowledge({
      search: {
        byText: async (search) => {
          asked.push(search);
          return { results } as unknown as SearchAnswer;
        },
      },
      sources: { findLines: async ({ ids }) => ids.map(() => 7) },
      shownPieces: {
        list: async (session) => shown.get(session) ?? [],
        add: async (session, keys) => {
          shown.set(session, [...(shown.get(session) ?? []), ...keys]);
        },
      },
    });
  const placesFor = async (session?: string, signal?: AbortSignal) => {
    const prompt = { projectPath: '/project', text: 'Why do writers wait?', session };
    const section = await knowledge().find(prompt, signal);
    return [...section.matchAll(/^file: (.+)$/gm)].map(([, place]) => place);
  };

  it('is three pieces at most, most relevant first, each text once', async () => {
    expect(await placesFor('s')).toEqual(['docs/a.md:7', 'docs/b.md:7', 'docs/c.md:7']);
  });

  it('is shown once in a session, and again in another', async () => {
    await placesFor('one');
    expect(await placesFor('one')).toEqual(['docs/d.md:7']);
    expect(await placesFor('one')).toEqual([]);
    expect(await placesFor('two')).toHaveLength(3);
  });

  it('is not remembered if the session is unknown, or if the caller no longer waits', async () => {
    await placesFor();
    await placesFor('one', AbortSignal.abort());
    expect(shown.size).toBe(0);
  });

  it('is empty if no vectors were compared', async () => {
    results = results.map(({ chunk, score }) => ({ chunk, score }));
    expect(await placesFor('s')).toEqual([]);
    expect(shown.size).toBe(0);
  });

  it.each([
    ['.knowledge/sessions/2026-11-01-4f1c.md', '4f1c', []],
    ['.knowledge/sessions/2026-11-01-4f1c-2.md', '4f1c', []],
    [
      '.knowledge/sessions/2026-11-01-9d2e.md',
      '4f1c',
      ['.knowledge/sessions/2026-11-01-9d2e.md:7'],
    ],
    ['docs/notes-4f1c.md', '4f1c', ['docs/notes-4f1c.md:7']],
  ])('is nothing that the session itself has said: %s', async (sourceFile, session, places) => {
    const own = chunk(sourceFile, 0, { content: 'Why do writers wait?' });
    results = [{ chunk: own, score: 1, relevance: 0.99 }];
    expect(await placesFor(session)).toEqual(places);
  });

  it('is looked for as text, for people, without counting a retrieval', async () => {
    await placesFor('s');
    expect(asked).toEqual([
      {
        projectPath: '/project',
        query: 'Why do writers wait?',
        profile: 'reading',
        minRelevance: 0.8,
        retrievals: 'uncounted',
      },
    ]);
  });
});
