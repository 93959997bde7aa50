import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { load } from 'sqlite-vec';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKnowledgeStore, type RunningKnowledgeStore } from '../../../src/index.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { TempProject } from '../../support/temp-project.js';

/**
 * Computes the specified ranking from the tables alone, by better-sqlite3 and sqlite-vec, and compares it with the
 * answers of the service.
 */
const WORDS = 'cache lock queue retry token index shard vector schema port'.split(' ');
const SEED = 20261128;

let project: TempProject;
let embedder: FakeEmbedder;
let running: RunningKnowledgeStore;

beforeAll(async () => {
  project = new TempProject();
  const random = generator(SEED);
  for (let i = 0; i < 120; i += 1) {
    const text = Array.from({ length: 3 + Math.floor(random() * 30) }, () => word(random));
    project.write(
      `docs/${word(random)}-${i}.md`,
      `# ${word(random)}\n\n## ${word(random)}\n${text.join(' ')}\n`,
    );
  }
  embedder = FakeEmbedder.ready();
  running = createKnowledgeStore({ logger: 'silent', backends: { embedder } });
  await running.store.readAllSources(project.path);
  const { store } = running;
  while ((await store.getEmbeddingStatus(project.path)).pending > 0) await setImmediate();
});

afterAll(async () => {
  await running.stop();
  project.remove();
});

describe(`the specified ranking, seed ${SEED}`, () => {
  const random = generator(SEED + 1);
  const queries = Array.from({ length: 40 }, () => {
    const words = Array.from({ length: 1 + Math.floor(random() * 4) }, () => word(random));
    return random() < 0.3 ? words.join(' OR ') : words.join(' ');
  });

  it.each(queries)('of %j has the scores that the tables give', async (query) => {
    const { results, explanation } = await running.store.search(project.path, query, {
      maxResults: 1000,
      maxTokens: 1_000_000,
    });
    const expected = computed(
      explanation.match,
      await embedder.embed(query.replaceAll(' OR ', ' ')),
    );
    expect(results).toHaveLength(expected.size);
    for (const { chunk, score } of results) {
      expect(Math.abs(score - (expected.get(chunk.id) ?? 0))).toBeLessThan(1e-9);
    }
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});

function computed(match: string, query: Float32Array): ReadonlyMap<string, number> {
  const db = new Database(project.database, { readonly: true });
  try {
    load(db);
    const rows = db
      .prepare(
        `SELECT c.id, 1 - vec_distance_cosine(e.embedding, ?) AS cosine FROM (
           SELECT rowid, bm25(chunks_fts) AS score FROM chunks_fts WHERE chunks_fts MATCH ?
           ORDER BY score LIMIT 50
         ) best JOIN chunks c ON c.rowid = best.rowid JOIN embeddings e ON e.chunk_id = c.id
         ORDER BY best.score, c.importance DESC, c.rowid`,
      )
      .all(Buffer.from(query.buffer), match) as { id: string; cosine: number }[];
    const byCosine = rows.toSorted((a, b) => b.cosine - a.cosine);
    return new Map(rows.map((row, i) => [row.id, 1 / (61 + i) + 1 / (61 + byCosine.indexOf(row))]));
  } finally {
    db.close();
  }
}

function word(random: () => number): string {
  const index = Math.floor(random() ** 2 * WORDS.length);
  return `${WORDS[index]}${random() < 0.5 ? '' : Math.floor(random() * 20)}`;
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
