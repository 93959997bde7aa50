import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLessons } from '../../src/domain/lessons/category-text.js';
import { lessonWords, saysTheSame } from '../../src/domain/lessons/lesson-similarity.js';
import { chunksIn, rowsOf, verifyDatabase } from '../support/database-inspection.js';
import { CHECKOUT } from '../support/running-service.js';
import { type Client, okBody, startClient, VARIANTS } from '../support/running-service-calls.js';
import { TempProject } from '../support/temp-project.js';

const source = join(CHECKOUT, '../shared/projects/aiom');
if (!existsSync(source)) console.warn('Without ../shared/projects/aiom no real project is tested.');

describe.skipIf(!existsSync(source)).each(VARIANTS)(
  'a real project in the %s variant',
  (variant) => {
    const project = new TempProject({}, '.automaker');
    let client: Client;
    beforeAll(async () => {
      cpSync(source, project.path, { recursive: true });
      client = await startClient(variant, { KNOWLEDGE_APP_DIR: '.automaker' });
    });
    afterAll(async () => {
      await client.service.stop();
      project.remove();
    });

    test('has 108 agent outputs and all of its memory files, and a second run rewrites nothing', async () => {
      if (variant === 'hybrid') expect(await client.indexed(project, 'agent-outputs')).toBe(108);
      okBody(await client.rebuild(project));
      const before = chunksIn(project.database);
      const files = (type: string) =>
        new Set(before.filter((row) => row.source_type === type).map((row) => row.source_file))
          .size;
      expect([files('agent_output'), files('file')]).toEqual([108, 11]);
      okBody(await client.rebuild(project));
      expect(chunksIn(project.database)).toEqual(before);
      expect(
        before.filter((row) => row.source_type === 'agent_output' && row.content.length > 2000),
      ).toEqual([]);
      verifyDatabase(project.database);
    });

    test('answers a question about it with the right feature first', async () => {
      const [first] = await client.results(project, 'redis cache invalidation after write');
      expect(first?.chunk.sourceFile).toContain('redis-cache-layer');
    });

    // What the other variant finds for these is tested with its rules of queries.
    const searched = test.runIf(variant === 'hybrid');

    searched('takes title and description of any of its features as a query', async () => {
      const features = readdirSync(project.at('.automaker/features'));
      const empty = [];
      for (const id of features) {
        const path = project.at(`.automaker/features/${id}/feature.json`);
        const { title, description } = existsSync(path)
          ? JSON.parse(readFileSync(path, 'utf8'))
          : { title: id, description: '' };
        const results = await client.results(project, `${title} ${description}`);
        if (results.length === 0) empty.push(id);
      }
      expect(features.length).toBeGreaterThanOrEqual(108);
      expect(empty).toEqual([]);
      const counted = rowsOf<{ n: number }>(
        project.database,
        'SELECT sum(retrieval_count) AS n FROM chunks',
      );
      expect(counted[0]?.n).toBeGreaterThan(features.length);
    });

    searched('answers sentences in capitals and with stressed operators', async () => {
      const sentences = sentencesOf(project.at('.automaker/memory'));
      const stressed = sentences
        .filter((text) => OPERATOR.test(text))
        .map((text) => text.replace(OPERATOR, (word) => word.toUpperCase()));
      const queries = [
        ...spread(stressed, 100),
        ...spread(sentences, 100).map((text) => text.toUpperCase()),
      ];
      expect(queries).toHaveLength(200);
      const empty = [];
      for (const query of queries) {
        const results = await client.results(project, query, { maxResults: 1 });
        if (results.length === 0) empty.push(query);
      }
      expect(empty).toEqual([]);
    });
  },
);

test.skipIf(!existsSync(source))('the lessons of a real project differ from each other', () => {
  const folder = join(source, '.automaker/memory');
  const names = readdirSync(folder).filter((name) => /^[a-z].*\.md$/.test(name));
  const lessons = names
    .flatMap((name) => readLessons(readFileSync(join(folder, name), 'utf8')))
    .map(lessonWords);
  expect(lessons.length).toBeGreaterThan(780);
  const same = lessons.flatMap((lesson, index) =>
    lessons.slice(index + 1).filter((other) => saysTheSame(lesson, other)),
  );
  expect(same).toEqual([]);
});

const OPERATOR = /\b(?:and|or|not)\b/g;

/** Lines of notes with eight words or more, without their signs. */
function sentencesOf(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .map((line) => line.replace(/^[\s#*->]+/, '').replaceAll('**', ''))
    .filter((line) => line.split(' ').length >= 8);
}

function spread(texts: readonly string[], count: number): readonly string[] {
  return Array.from(
    { length: count },
    (_, i) => texts[Math.floor((i * texts.length) / count)] ?? '',
  );
}
