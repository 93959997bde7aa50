import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunksIn, ISO_DATE, rowsOf, verifyDatabase } from '../support/database-inspection.js';
import { directoryOfRealModel, eventually, MODEL } from '../support/running-service.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import type { HttpAnswer } from '../support/service-at-url.js';
import type { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';

const dataDir = directoryOfRealModel();
if (dataDir === undefined)
  console.warn('Without ../shared/models hybrid search is not tested from outside.');

interface EmbeddingRow {
  readonly chunk_id: string;
  readonly embedding: Buffer;
  readonly model: string;
  readonly created_at: string;
}

describe.skipIf(dataDir === undefined)('hybrid search with the real model', () => {
  const projects = testProjects();
  const QUESTION = 'Which animal of the savanna drinks at the river at night?';
  let client: Client;
  let animals: TempProject;
  let first: HttpAnswer;
  beforeAll(async () => {
    client = await startClient('hybrid', { DATA_DIR: dataDir ?? '' });
    animals = projects.make({
      'a.md': [
        QUESTION, // its vector is the query's own
        'The lion rests in the shade of the tree.',
        'At night the elephants come to the river to drink.',
        'Invoices are sent at the end of the month.',
        'A river of data flows through the pipeline.',
        'The savanna burns in the dry season.',
        'Which compiler flag turns animal names into numbers?',
      ].join('\n\n'),
      'b.md':
        '## Zebras\nThey drink at dusk.\n\n## Night shift\nThe on-call engineer drinks coffee.',
    });
    okBody(await client.rebuild(animals));
    first = await client.search(animals, 'elephants');
    await embedded(animals);
  }, 60_000);
  afterAll(() => client.service.stop());

  function embedded(project: TempProject): Promise<unknown> {
    return eventually(
      async () => {
        const { embeddings } = okBody(await client.status(project));
        return embeddings.pending === 0 && embeddings.complete > 0;
      },
      { withinMs: 60_000, everyMs: 100 },
    );
  }

  const embeddingsOf = (project: TempProject) =>
    rowsOf<EmbeddingRow>(project.database, 'SELECT * FROM embeddings ORDER BY chunk_id');

  test('a search without a loaded model returns immediately in bm25 mode and starts the load', () => {
    expect(first.status).toBe(200);
    expect(first.body.retrieval_mode).toBe('bm25');
    expect(first.body.results).toHaveLength(1);
  });

  test('every chunk has its row: model, date, 384 little-endian floats of length 1', () => {
    const rows = embeddingsOf(animals);
    expect(rows.map((row) => row.chunk_id)).toEqual(
      chunksIn(animals.database)
        .map(({ id }) => id)
        .toSorted(),
    );
    for (const row of rows) {
      expect(row.model).toBe(MODEL);
      expect(row.created_at).toMatch(ISO_DATE);
      expect(row.embedding).toHaveLength(1536);
      const vector = vectorOf(row);
      expect(vector.every(Number.isFinite)).toBe(true);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
    verifyDatabase(animals.database);
  });

  test('status and stats say so', async () => {
    const status = okBody(await client.status(animals));
    expect(status).toEqual({
      embeddings: { complete: 9, pending: 0 },
      hype: { complete: 0, pending: 9 },
      model: { name: MODEL, state: 'ready', runtime: 'wasm' },
    });
    expect(okBody(await client.stats(animals)).enabledHybridRetrieval).toBe(true);
  });

  test('a relevance says what answers the question, and leaves out what does not', async () => {
    const asked = async (query: string, options: object = {}) => {
      const all = { explain: true, candidates: 'union', maxResults: 50, maxTokens: 100_000 };
      return okBody(await client.search(animals, query, { ...all, ...options }));
    };
    const { results, explain } = await asked(QUESTION);
    const rated: number[] = explain.results.map((trace: { relevance: number }) => trace.relevance);
    expect(Math.max(...rated)).toBeGreaterThan(0.5);
    expect(results.map((result: object) => Object.keys(result))).toContainEqual(['chunk', 'score']);
    const answers = await asked(QUESTION, { minRelevance: 0.5 });
    expect(answers.results).toHaveLength(rated.filter((relevance) => relevance >= 0.5).length);
    const [{ code }] = (await asked('zzzqqq flurb')).explain.notes;
    expect(['irrelevant', 'not_relevant']).toContain(code);
  });
});

function vectorOf({ embedding }: EmbeddingRow): Float32Array {
  return Float32Array.from({ length: embedding.length / 4 }, (_, i) =>
    embedding.readFloatLE(4 * i),
  );
}
