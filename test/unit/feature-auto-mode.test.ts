import { symlink } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KnowledgeError, ModelCallError } from '../../src/domain/errors.js';
import type { Learning } from '../../src/domain/learning.js';
import { FakeLessonExtractor } from '../fakes/fake-lesson-extractor.js';
import { FakeSummarizer } from '../fakes/fake-summarizer.js';
import { type FeatureWorld, makeFeatureWorld } from '../support/feature-world.js';

const WAL: Learning = {
  category: 'storage',
  title: 'Use WAL',
  content: 'In WAL mode readers do not wait for the writer.',
};
const JSON_ERRORS: Learning = {
  category: 'api',
  title: 'Errors are JSON',
  content: 'Every route answers an error as an object.',
};
const PARAGRAPH =
  '### Use WAL (2026-01-05)\n- **Learned:** In WAL mode readers do not wait for the writer.\n- **Feature:** f-1\n';
const LONG = `# storage\n\n${'word '.repeat(39_000)}\n`;

let extractor: FakeLessonExtractor;
let summarizer: FakeSummarizer;
let world: FeatureWorld;

beforeEach(async () => {
  extractor = new FakeLessonExtractor();
  summarizer = new FakeSummarizer();
  world = await makeFeatureWorld({ extractor, summarizer });
  await world.write('features/f-1/feature.json', '{"title": "Search", "description": "Fast."}');
});
afterEach(() => world.dispose());

function complete(...learnings: readonly Learning[]) {
  extractor.learnings = learnings;
  return world.features.completeFeature(world.path, 'f-1');
}

describe('what the model is told of a finished feature', () => {
  it('is title, description, the end of the output and the reflection', async () => {
    await world.write('features/f-1/agent-output.md', `${'a'.repeat(20_000)}${'z'.repeat(19_999)}`);
    await world.write('features/f-1/reflection.md', 'It went well.');
    await complete();
    expect(extractor.calls).toEqual([
      {
        title: 'Search',
        description: 'Fast.',
        agentOutput: `a${'z'.repeat(19_999)}`,
        reflection: 'It went well.',
      },
    ]);
  });

  it('is its id as title where feature.json is broken or missing', async () => {
    await world.write('features/f-1/feature.json', '{');
    await complete();
    expect(extractor.calls).toEqual([
      { title: 'f-1', description: '', agentOutput: '', reflection: '' },
    ]);
  });
});

describe('learnings', () => {
  it('reach their categories, are counted, indexed, and wake the enrichment', async () => {
    const report = await complete(WAL, JSON_ERRORS);
    expect(report).toEqual({
      learnings: 2,
      added: 2,
      duplicates: 0,
      categories: ['api', 'storage'],
      compacted: [],
    });
    expect(await world.read('memory/storage.md')).toMatch(`# storage\n\n${PARAGRAPH}`);
    const project = await world.projects.open(world.path);
    const { results } = await world.searches.search(project, 'WAL readers', {
      sourceTypes: ['file'],
    });
    expect(results[0]?.chunk.sourceFile).toBe('.knowledge/memory/storage.md');
    expect(world.enrichment.wakes).toBeGreaterThan(0);
  });

  it('leave what a category holds byte for byte', async () => {
    const before = '# storage\r\n\r\n### Old\r\n- Lesson.';
    await world.write('memory/storage.md', before);
    await complete(WAL);
    expect(await world.read('memory/storage.md')).toBe(
      `${before}\r\n\r\n${PARAGRAPH.replaceAll('\n', '\r\n')}`,
    );
  });

  it.each(['', 'Über', '../api', 'API', 'a b', 'a'.repeat(65), 'api\n'])(
    'go to the gotchas from the category %j',
    async (category) => {
      expect((await complete({ ...WAL, category })).categories).toEqual(['gotchas']);
    },
  );

  it('take one line each, whatever the model wrote', async () => {
    const content = 'One\n\n## Two\r\n```\nthree\u202e\0';
    await complete({ category: 'storage', title: 'T\n# U', content });
    expect(await world.read('memory/storage.md')).toMatch(
      '# storage\n\n### T # U (2026-01-05)\n- **Learned:** One ## Two ``` three\n- **Feature:** f-1\n',
    );
  });

  it('that hold no text are not counted', async () => {
    const report = await complete({ ...WAL, title: '\u200b' }, { ...WAL, content: ' ' });
    expect(report).toMatchObject({ learnings: 0, added: 0, duplicates: 0, categories: [] });
  });

  it('stay out of a category that may not be read or written, which is said', async () => {
    await world.write('memory/secret.txt', 'SECRET');
    await symlink('/etc/hostname', world.at('memory/storage.md'));
    await symlink(world.at('memory/secret.txt'), world.at('memory/linked.md'));
    const linked = { ...JSON_ERRORS, category: 'linked', title: 'Linked' };
    const report = await complete(WAL, linked, { ...JSON_ERRORS, content: 'Something else.' });
    expect(report).toMatchObject({ learnings: 3, added: 1, duplicates: 0, categories: ['api'] });
    expect(await world.read('memory/secret.txt')).toBe('SECRET');
    const told = world.logger.entries.filter(({ message }) => message.includes('left alone'));
    expect(told.map(({ fields }) => fields['category'])).toEqual(['linked', 'storage']);
  });

  it('never replace a category that is too large to be read', async () => {
    const before = 'x'.repeat(10 * 1024 * 1024 + 1);
    await world.write('memory/storage.md', before);
    expect(await complete(WAL)).toMatchObject({ added: 0, categories: [] });
    expect((await world.read('memory/storage.md')) === before).toBe(true);
  });

  it('keep the bytes of a category that is not UTF-8 in the history', async () => {
    const before = Buffer.from('# storage\n\ncaf\xe9\n', 'latin1');
    await world.write('memory/storage.md', before);
    await complete(WAL);
    const kept = await world.read('memory/.history/storage-2026-01-05T12-00-00.000Z.md');
    expect(kept).toBe(before.toString('utf8'));
  });
});

describe('a learning that is known', () => {
  it('is not stored again, reworded a little, in another category, or at another time', async () => {
    await complete(WAL);
    const before = await world.read('memory/storage.md');
    world.clock.advance(3 * 24 * 60 * 60 * 1000);
    const reworded = { ...WAL, category: 'api', content: WAL.content.toUpperCase() };
    expect(await complete(WAL, reworded)).toMatchObject({
      learnings: 2,
      added: 0,
      duplicates: 2,
      categories: [],
    });
    expect(await world.read('memory/storage.md')).toBe(before);
    await expect(world.read('memory/api.md')).rejects.toThrow('ENOENT');
  });

  it('is stored once where it comes twice at once', async () => {
    const report = await complete(WAL, { ...WAL, category: 'api' });
    expect(report).toMatchObject({ learnings: 2, added: 1, duplicates: 1 });
  });

  it('is known from a file that was never indexed', async () => {
    await world.write('memory/old.md', `# old\n\n#### Use WAL (2020-01-01)\n- ${WAL.content}\n`);
    expect(await complete(WAL)).toMatchObject({ added: 0, duplicates: 1 });
  });

  it('is known even if its chunk was pruned', async () => {
    await complete(WAL);
    const { store } = await world.projects.open(world.path);
    await store.chunks.deleteNeverRetrievedBefore(world.clock.now());
    expect(await complete(WAL)).toMatchObject({ added: 0, duplicates: 1 });
  });

  it('is known though it is longer than a chunk', async () => {
    const words = Array.from({ length: 600 }, (_, index) => `w${index}`).join(' ');
    const long = { ...WAL, content: words };
    await complete(long);
    expect(await complete({ ...long, category: 'api' })).toMatchObject({ duplicates: 1 });
  });

  it('is not what a reflection or an agent says', async () => {
    await world.write('features/f-2/reflection.md', `${WAL.title} ${WAL.content}`);
    await world.ingestion.ingestAll(await world.projects.open(world.path));
    expect(await complete(WAL)).toMatchObject({ added: 1, duplicates: 0 });
  });

  it('changes no metric', async () => {
    await complete(WAL);
    await complete(WAL);
    const { store } = await world.projects.open(world.path);
    const unused = await store.chunks.findNeverRetrievedBefore(world.clock.now());
    expect(unused.length).toBe((await store.chunks.stats()).totalChunks);
  });
});

describe('the reflection of a feature', () => {
  it('is written where there is none, indexed, and teaches the next feature', async () => {
    await complete(WAL);
    expect(await world.read('features/f-1/reflection.md')).toBe(
      `# Search\n\nFast.\n\n## Use WAL\n\n${WAL.content}\n`,
    );
    const { section } = await world.features.lessonsFor(world.path, {
      title: 'Readers wait',
      description: 'for the writer',
    });
    expect(section).toContain(WAL.content);
  });

  it('is left alone where there is one', async () => {
    await world.write('features/f-1/reflection.md', '');
    await complete(WAL);
    expect(await world.read('features/f-1/reflection.md')).toBe('');
  });

  it('is left alone where it came while the model was thinking', async () => {
    extractor.extractLearnings = async () => {
      await world.write('features/f-1/reflection.md', 'By the agent.');
      return [WAL];
    };
    await world.features.completeFeature(world.path, 'f-1');
    expect(await world.read('features/f-1/reflection.md')).toBe('By the agent.');
  });

  it('is not written where nothing was learned', async () => {
    await complete();
    await expect(world.read('features/f-1/reflection.md')).rejects.toThrow('ENOENT');
  });

  it('holds what is known already too, for it is of this feature', async () => {
    await complete(WAL);
    await world.write('features/f-2/agent-output.md', 'Done.');
    await world.features.completeFeature(world.path, 'f-2');
    expect(await world.read('features/f-2/reflection.md')).toContain(WAL.content);
  });
});

describe('a completion', () => {
  it.each(['unknown', '../f-1', '.', ''])('is refused for the feature %j', async (id) => {
    const refused = world.features.completeFeature(world.path, id);
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    expect(extractor.calls).toEqual([]);
  });

  it('says what to do where no model is set', async () => {
    extractor.available = false;
    const error = await complete(WAL).catch((thrown: KnowledgeError) => thrown);
    expect(error).toMatchObject({ code: 'model_unavailable' });
    expect(error).toHaveProperty('message', expect.stringContaining('OPENAI_BASE_URL'));
  });

  it('keeps the cause where the model fails, and changes nothing', async () => {
    const cause = new ModelCallError('unusable', 'Garbage.');
    extractor.failure = cause;
    await expect(complete(WAL)).rejects.toMatchObject({ code: 'model_unavailable', cause });
    await expect(world.read('memory/storage.md')).rejects.toThrow('ENOENT');
    extractor.failure = undefined;
    expect(await complete(WAL)).toMatchObject({ added: 1 });
  });

  it('does not hide a bug behind the model', async () => {
    extractor.extractLearnings = async () => {
      throw new TypeError('A bug.');
    };
    await expect(complete(WAL)).rejects.toThrow(TypeError);
  });

  it('waits for the one before it, so that two at once store a learning once', async () => {
    await world.write('features/f-2/agent-output.md', 'Done.');
    extractor.learnings = [WAL];
    const reports = await Promise.all(
      ['f-1', 'f-2'].map((id) => world.features.completeFeature(world.path, id)),
    );
    expect(reports.map(({ added }) => added)).toEqual([1, 0]);
  });
});

describe('a category that grew over 50,000 tokens', () => {
  beforeEach(async () => {
    summarizer.maxCharacters = 1_000_000;
    await world.write('memory/storage.md', LONG);
  });

  it('is compacted', async () => {
    summarizer.answer = () => 'Short.';
    expect(await complete(WAL, JSON_ERRORS)).toMatchObject({ added: 2, compacted: ['storage'] });
    expect(await world.read('memory/storage.md')).toBe('Short.\n');
  });

  it('is not compacted where it did not grow', async () => {
    expect(await complete(JSON_ERRORS)).toMatchObject({ compacted: [] });
    expect(summarizer.calls).toEqual([]);
  });

  it.each<[string, () => void]>([
    ['the model is gone', () => void (summarizer.available = false)],
    ['the model fails', () => void (summarizer.failure = new ModelCallError('failed', 'Down.'))],
    ['the summary is not shorter', () => void (summarizer.answer = (text) => text)],
  ])('is kept with its learnings where %s, which is said', async (_, breakDown) => {
    breakDown();
    expect(await complete(WAL)).toMatchObject({ added: 1, compacted: [] });
    expect(await world.read('memory/storage.md')).toBe(`${LONG}\n${PARAGRAPH}`);
    expect(world.logger.messages('warn').join()).toMatch(/compact/i);
  });
});
