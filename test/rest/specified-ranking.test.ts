import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tinyModelEnvironment } from '../../bench/faults/tiny-model-environment.js';
import { generator } from '../../bench/quality/statistics.js';
import { plantVectors } from '../../bench/speed/planted-vectors.js';
import { toFtsMatch } from '../../src/domain/query/fts-match.js';
import { allWords, anyInformativeWord, readQuery } from '../../src/domain/query/query.js';
import { chunksIn } from '../support/database-inspection.js';
import { CHECKOUT, eventually } from '../support/running-service.js';
import { type Client, okBody, startClient, VARIANTS } from '../support/running-service-calls.js';
import { SpecifiedRanking } from '../support/specified-ranking.js';
import { TempProject } from '../support/temp-project.js';
import { TINY_MODEL } from '../support/tiny-model.js';
import { tinyEmbedder } from '../support/tiny-model-embedder.js';

/**
 * `/search` ranks a real project as the specification says, by what its tables hold: 25 questions, and 175 queries of
 * its words.
 */
const source = join(CHECKOUT, '../shared/projects/aiom');
const QUESTIONS: readonly { readonly question: string }[] = JSON.parse(
  readFileSync(join(CHECKOUT, 'bench/questions/aiom.json'), 'utf8'),
);
const QUERIES = 200;
const SEED = 20261129;

describe.skipIf(!existsSync(source)).each(VARIANTS)(
  `the ranking of a real project in the %s variant, seed ${SEED}`,
  (variant) => {
    const project = new TempProject({}, '.automaker');
    let environment: Readonly<Record<string, string>>;
    let client: Client;
    let ranking: SpecifiedRanking;
    beforeAll(async () => {
      cpSync(source, project.path, { recursive: true });
      environment = { ...(await tinyModelEnvironment()), KNOWLEDGE_APP_DIR: '.automaker' };
      const indexing = await startClient('search-only', environment);
      okBody(await indexing.rebuild(project));
      await indexing.service.stop();
      plantVectors(project.database, TINY_MODEL);
      client = await startClient(variant, environment);
      if (variant === 'hybrid') await eventually(isSearchedByMeaning);
      ranking = new SpecifiedRanking(project.database);
    });
    afterAll(async () => {
      ranking?.close();
      await client?.service.stop();
      project.remove();
    });

    const isSearchedByMeaning = async () =>
      okBody(await client.search(project, 'sync')).retrieval_mode === 'hybrid';

    it(`is what the tables give, for ${QUERIES} queries`, async () => {
      const modelsDirectory = join(environment['DATA_DIR'] ?? '', 'models');
      mkdirSync(modelsDirectory, { recursive: true });
      const embedder = tinyEmbedder({ modelsDirectory });
      let compared = 0;
      for (const query of queriesOf(chunksIn(project.database).map(({ content }) => content))) {
        const options = { maxResults: 1000, maxTokens: 1_000_000, explain: true };
        const { results, explain, retrieval_mode } = okBody(
          await client.search(project, query, options),
        );
        const match = explain?.match ?? matchOfSearchOnly(ranking, query);
        const vector = await embedder.embed(textOf(query));
        const expected =
          variant === 'hybrid'
            ? ranking.merged(match, vector)
            : new Map(ranking.byWords(match).map(({ id, score }) => [id, score]));
        const found = results.map(({ chunk, score }: (typeof results)[0]) => [chunk.id, score]);
        expect(found.length, query).toBe(expected.size);
        for (const [id, score] of found) {
          expect(Math.abs(score - (expected.get(id) ?? 0)), `${query}: ${id}`).toBeLessThan(1e-9);
          compared += 1;
        }
        const scores = found.map(([, score]: readonly [string, number]) => score);
        const sign = variant === 'hybrid' ? -1 : 1;
        expect(scores, query).toEqual(scores.toSorted((a: number, b: number) => sign * (a - b)));
        if (variant === 'hybrid' && found.length > 0) expect(retrieval_mode).toBe('hybrid');
      }
      await embedder.close();
      expect(compared).toBeGreaterThan(1000);
    }, 120_000);
  },
);

/** The first questions, and queries of all kinds made of words that follow each other somewhere in the texts. */
function queriesOf(texts: readonly string[]): readonly string[] {
  const random = generator(SEED);
  const below = (limit: number) => Math.floor(random() * limit);
  const passage = (length: number) => {
    for (;;) {
      const words = texts[below(texts.length)]?.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
      const start = below(words.length - length);
      if (words.length > length) return words.slice(start, start + length).map(plainWord);
    }
  };
  const kinds = [
    () => passage(1).join(' '),
    () => passage(3).join(' '),
    () => passage(12).join(' '),
    () => `"${passage(2).join(' ')}"`,
    () => passage(2).join(' OR '),
    () => `${passage(1)} NOT ${passage(1)}`,
    () => `${passage(1)[0]?.slice(0, 4)}*`,
  ];
  const made = Array.from({ length: QUERIES - 25 }, (_, i) => kinds[i % kinds.length]?.() ?? '');
  return [...QUESTIONS.slice(0, 25).map(({ question }) => question), ...made];
}

/** That variant does not say how it has read a query: all words or, where no chunk has them, any informative one. */
function matchOfSearchOnly(ranking: SpecifiedRanking, text: string): string {
  const query = readQuery(text);
  if (query.kind === 'structured') return toFtsMatch(query.expression);
  const readings = [allWords, anyInformativeWord].flatMap((read) => read(query.words) ?? []);
  const matches = readings.map(toFtsMatch);
  return matches.find((match) => ranking.byWords(match).length > 0) ?? matches[0] ?? '""';
}

/** What is embedded of a query: all but operators and quotes. */
function textOf(query: string): string {
  return query.replaceAll(/^"|"$|\*$/g, '').replaceAll(/ (?:OR|NOT) /g, ' ');
}

/** No operator. */
function plainWord(word: string): string {
  return word.toLowerCase();
}
