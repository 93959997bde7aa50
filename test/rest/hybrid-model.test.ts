import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chunksIn,
  ISO_DATE,
  rowsOf,
  verifyDatabase,
  withDatabase,
} from '../support/database-inspection.js';
import { directoryOfRealModel, eventually, MODEL } from '../support/running-service.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import type { HttpAnswer } from '../support/service-at-url.js';
import { type TempProject, TempProjects } from '../support/temp-project.js';

const dataDir = directoryOfRealModel();
if (dataDir === undefined)
  console.warn('Without ../shared/models hybrid search is not tested from outside.');

interface EmbeddingRow {
  readonly chunk_id: string;
  readonly embedding: Buffer;
  readonly model: string;
  readonly created_at: string;
}

interface Trace {
  readonly id: string;
  readonly score: number;
  readonly keywordRank?: number;
  readonly vectorRank?: number;
  readonly cosine?: number;
}

describe.skipIf(dataDir === undefined)('hybrid search with the real model', () => {
  const projects = new TempProjects();
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
  afterAll(async () => {
    await client.service.stop();
    projects.removeAll();
  });

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
      model: { name: MODEL, state: 'ready' },
    });
    expect(okBody(await client.stats(animals)).enabledHybridRetrieval).toBe(true);
  });

  test('imported vectors are used as they are, those of another model or size are not', async () => {
    const project = projects.make();
    // A first indexing would make the vectors that are missing, and may end at any moment.
    project.writeSettings({ autoReindex: false });
    okBody(await client.open(project));
    const vector = Buffer.from(queryVector().buffer);
    const opposite = Buffer.from(queryVector().map((value) => -value).buffer);
    const texts = { near: opposite, far: vector, other: vector, short: vector.subarray(0, 100) };
    for (const [id, embedding] of Object.entries(texts)) {
      const content =
        id === 'near'
          ? QUESTION
          : `A savanna river, with so many other words that ${id} ranks low.`;
      const model = id === 'other' ? 'somebody/else' : MODEL;
      importChunk(project.database, { id, content, embedding, model });
    }
    const { traces } = await explained(project, QUESTION);
    const byId = new Map(traces.map((trace) => [trace.id, trace]));
    expect(byId.get('far')).toMatchObject({ vectorRank: 1 });
    expect(byId.get('far')?.cosine).toBeCloseTo(1, 4);
    expect(byId.get('near')?.cosine).toBeCloseTo(-1, 4);
    expect(byId.get('other')).not.toHaveProperty('vectorRank');
    expect(byId.get('short')).not.toHaveProperty('vectorRank');
    const { embeddings } = okBody(await client.status(project));
    expect(embeddings).toEqual({ complete: 2, pending: 2 });
    const stored = embeddingsOf(project).filter(
      ({ chunk_id }) => chunk_id === 'far' || chunk_id === 'near',
    );
    for (const row of stored) expect(row.created_at).toBe('2026-01-01T00:00:00.000Z');
  });

  test('a relevance says what answers the question, and leaves out what does not', async () => {
    const { results, explain } = (await explained(animals, QUESTION, { candidates: 'union' })).body;
    const rated: number[] = explain.results.map((trace: { relevance: number }) => trace.relevance);
    expect(Math.max(...rated)).toBeGreaterThan(0.5);
    expect(results.map((result: object) => Object.keys(result))).toContainEqual(['chunk', 'score']);
    const answers = (await explained(animals, QUESTION, { candidates: 'union', minRelevance: 0.5 }))
      .body;
    expect(answers.results).toHaveLength(rated.filter((relevance) => relevance >= 0.5).length);
    const nonsense = (await explained(animals, 'zzzqqq flurb', { candidates: 'union' })).body;
    const codes = nonsense.explain.notes.map((note: { code: string }) => note.code);
    expect(['irrelevant', 'not_relevant']).toContain(codes[0]);
  });

  test.skipIf(process.platform !== 'linux')(
    'the running service has mapped no native module but the one of SQLite',
    () => {
      const pid = client.service.process.pid;
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
      const maps = [String(pid), ...children.filter((child) => child !== '')]
        .map((process) => readFileSync(`/proc/${process}/maps`, 'utf8'))
        .join('\n');
      const modules = new Set([...maps.matchAll(/([^/\s]+)\.node$/gm)].map((match) => match[1]));
      expect([...modules]).toEqual(['better_sqlite3']);
    },
  );

  async function explained(project: TempProject, query: string, options: object = {}) {
    const body = okBody(
      await client.search(project, query, {
        explain: true,
        maxResults: 50,
        maxTokens: 100_000,
        ...options,
      }),
    );
    return { body, traces: body.explain.results as readonly Trace[] };
  }

  /** Of the chunk whose text is the question. */
  function queryVector(): Float32Array {
    const row = embeddingsOf(animals).find(({ chunk_id }) => chunk_id === 'a.md#0');
    if (row === undefined) throw new Error('The question has no vector.');
    return vectorOf(row);
  }
});

function vectorOf({ embedding }: EmbeddingRow): Float32Array {
  return Float32Array.from({ length: embedding.length / 4 }, (_, i) =>
    embedding.readFloatLE(4 * i),
  );
}

/** A chunk with its vector, in one transaction: in between, the service could make a vector of its own. */
function importChunk(
  path: string,
  chunk: { id: string; content: string; embedding: Buffer; model: string },
): void {
  withDatabase(path, (db) =>
    db
      .transaction(() => {
        db.prepare(
          `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content,
           created_at, updated_at) VALUES (@id, 'manual', 's/' || @id, '/elsewhere', 0, @content,
           '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
        ).run(chunk);
        db.prepare(
          "INSERT INTO embeddings VALUES (@id, @embedding, @model, '2026-01-01T00:00:00.000Z')",
        ).run(chunk);
      })
      .immediate(),
  );
}
