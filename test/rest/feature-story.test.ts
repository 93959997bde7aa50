import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lessonExtractor } from '../../src/adapters/openai/language-model.js';
import { lessonsIn } from '../../src/domain/lessons/category-text.js';
import { lessonWords, saysTheSame } from '../../src/domain/lessons/lesson-similarity.js';
import type { Lesson } from '../../src/domain/lessons/lesson-text.js';
import { type FeatureWorld, makeFeatureWorld } from '../support/feature-world.js';
import type { ModelEndpoint } from '../support/model-endpoint.js';
import { startChat } from '../support/model-endpoint-chat.js';
import { answeringJson } from '../support/model-endpoint-replies.js';
import { hasRealProject, REAL_PROJECT } from '../support/real-project.js';

const FEATURE = 'audit-log-schema';
const PARTITIONS: Lesson = {
  category: 'database',
  title: 'Partition the audit trail by month from the first migration',
  content: 'Quarterly vacuuming of an unpartitioned trail blocked zebrafish imports for an hour.',
};
const TRACING: Lesson = {
  category: 'observability',
  title: 'Trace identifiers belong in every audit row',
  content: 'Without them nobody could connect a zebrafish import to the request that began it.',
};

describe.skipIf(!hasRealProject)('the story of a feature of the real project', () => {
  let endpoint: ModelEndpoint;
  let world: FeatureWorld;
  beforeEach(async () => {
    const started = await startChat(answeringJson({ learnings: [PARTITIONS, TRACING] }));
    endpoint = started.endpoint;
    world = await makeFeatureWorld({
      appDir: REAL_PROJECT.appDir,
      copyOf: REAL_PROJECT.path,
      extractor: lessonExtractor(started.chat),
    });
    await world.ingestion.ingestAll(await world.projects.open(world.path));
  });
  afterEach(async () => {
    await endpoint.close();
    await world.dispose();
  });

  it('lessons go into the memory, are found, teach the next feature, and are stored once', async () => {
    const before = await world.read('memory/database.md');
    const lessons = await world.features.lessonsFor(world.path, {
      featureId: FEATURE,
      title: 'Audit log',
      description: 'An audit trail.',
    });
    expect(lessons.source).toBe('search');
    expect(lessons.section).not.toContain('zebrafish');
    expect(await world.features.completeFeature(world.path, FEATURE)).toEqual({
      lessons: 2,
      added: 2,
      duplicates: 0,
      categories: ['database', 'observability'],
      compacted: [],
    });
    expect(endpoint.requests[0]?.data).toContain('Reflection:');

    const paragraph = paragraphOf(PARTITIONS);
    expect(await world.read('memory/database.md')).toBe(`${before}\n\n${paragraph}`);
    const created = await world.read('memory/observability.md');
    const model = await world.read('memory/api.md');
    expect(shapeOf(created)).toEqual(shapeOf(model).replaceAll('api', 'observability'));
    expect(created.endsWith(`# observability\n\n${paragraphOf(TRACING)}`)).toBe(true);

    expect(await memoryFilesWith('zebrafish imports vacuuming')).toContain('database.md');
    expect(await memoryFilesWith('trace identifiers zebrafish')).toContain('observability.md');

    const next = await world.features.lessonsFor(world.path, {
      featureId: 'wallet-schema',
      title: 'Zebrafish imports',
      description: 'Nightly imports leave an audit trail.',
    });
    expect(next.section).toContain(PARTITIONS.content);
    expect(next.section).toContain(`(reflection: .automaker/features/${FEATURE}/reflection.md)`);

    const grown = await world.read('memory/database.md');
    for (const id of [FEATURE, 'wallet-schema']) {
      const again = await world.features.completeFeature(world.path, id);
      expect(again).toMatchObject({ lessons: 2, added: 0, duplicates: 2, categories: [] });
    }
    expect(await world.read('memory/database.md')).toBe(grown);
    expect(await world.read('memory/observability.md')).toBe(created);
  });

  it('its lessons are not duplicates of each other', async () => {
    const lessons = (await allLessons()).map(lessonWords);
    expect(lessons.length).toBeGreaterThan(780);
    const pairs = lessons.flatMap((lesson, index) =>
      lessons.slice(index + 1).filter((other) => saysTheSame(lesson, other)),
    );
    expect(pairs).toEqual([]);
  });

  async function allLessons(): Promise<readonly string[]> {
    const names = ['api', 'architecture', 'auth', 'database', 'gotchas', 'patterns'];
    const others = ['performance', 'security', 'testing', 'ui', 'validation'];
    const texts = [...names, ...others].map((name) => world.read(`memory/${name}.md`));
    return (await Promise.all(texts)).flatMap(lessonsIn);
  }

  async function memoryFilesWith(query: string): Promise<readonly string[]> {
    const project = await world.projects.open(world.path);
    const { results } = await world.searches.search(project, query, { sourceTypes: ['file'] });
    return results.map(({ chunk }) => chunk.sourceFile.replace('.automaker/memory/', ''));
  }
});

function paragraphOf({ title, content }: Lesson): string {
  return `### ${title} (2026-01-05)\n- **Learned:** ${content}\n- **Feature:** ${FEATURE}\n`;
}

/** Everything up to the title, without the values of the counters. */
function shapeOf(category: string): string {
  return category.slice(0, category.indexOf('\n\n')).replace(/: \d+$/gm, ': 0');
}
