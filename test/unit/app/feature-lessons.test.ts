import { symlink } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Completion,
  JSON_ERRORS,
  startCompletion,
  WAL,
  WAL_PARAGRAPH,
} from '../../support/feature-completion.js';

let world: Completion['world'];
let complete: Completion['complete'];

beforeEach(async () => {
  ({ world, complete } = await startCompletion());
});
afterEach(() => world.dispose());

describe('lessons', () => {
  it('reach their categories, are counted, indexed, and wake the enrichment', async () => {
    await world.projects.open(world.path);
    const wakes = world.enrichment.wakes;
    const report = await complete(WAL, JSON_ERRORS);
    expect(world.enrichment.wakes).toBeGreaterThan(wakes);
    expect(report).toEqual({
      lessons: 2,
      added: 2,
      duplicates: 0,
      categories: ['api', 'storage'],
      compacted: [],
    });
    expect(await world.read('memory/storage.md')).toMatch(`# storage\n\n${WAL_PARAGRAPH}`);
    const project = await world.projects.open(world.path);
    const { results } = await world.searches.search(project, 'WAL readers', {
      sourceTypes: ['file'],
    });
    expect(results[0]?.chunk.sourceFile).toBe('.knowledge/memory/storage.md');
  });

  it('leave what a category holds byte for byte', async () => {
    const before = '# storage\r\n\r\n### Old\r\n- Lesson.';
    await world.write('memory/storage.md', before);
    await complete(WAL);
    expect(await world.read('memory/storage.md')).toBe(
      `${before}\r\n\r\n${WAL_PARAGRAPH.replaceAll('\n', '\r\n')}`,
    );
  });

  it.each(['', 'Über', '../api', 'a b', 'a'.repeat(65), 'api\n'])(
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
    expect(report).toMatchObject({ lessons: 0, added: 0, duplicates: 0, categories: [] });
  });

  it('stay out of a category that may not be read or written, which is said', async () => {
    await world.write('memory/secret.txt', 'SECRET');
    await symlink('/etc/hostname', world.at('memory/storage.md'));
    await symlink(world.at('memory/secret.txt'), world.at('memory/linked.md'));
    const linked = { ...JSON_ERRORS, category: 'linked', title: 'Linked' };
    const report = await complete(WAL, linked, { ...JSON_ERRORS, content: 'Something else.' });
    expect(report).toMatchObject({ lessons: 3, added: 1, duplicates: 0, categories: ['api'] });
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

  it('never replace a category that is not UTF-8', async () => {
    const before = Buffer.from('# storage\n\ncaf\xe9\n', 'latin1');
    await world.write('memory/storage.md', before);
    expect(await complete(WAL)).toMatchObject({ added: 0, categories: [] });
    expect(await world.read('memory/storage.md')).toBe(before.toString('utf8'));
  });

  it('keep the bytes of a category with a NUL in the history', async () => {
    const before = '# storage\n\nThe page size is 4\x0096 bytes.\n';
    await world.write('memory/storage.md', before);
    await complete(WAL);
    const kept = await world.read('memory/.history/storage-2026-01-05T12-00-00.000Z.md');
    expect(kept).toBe(before);
  });
});

describe('a lesson that is known', () => {
  it('is not stored again, reworded a little, in another category, or at another time', async () => {
    await complete(WAL);
    const before = await world.read('memory/storage.md');
    world.clock.advance(3 * 24 * 60 * 60 * 1000);
    const reworded = { ...WAL, category: 'api', content: WAL.content.toUpperCase() };
    expect(await complete(WAL, reworded)).toMatchObject({
      lessons: 2,
      added: 0,
      duplicates: 2,
      categories: [],
    });
    expect(await world.read('memory/storage.md')).toBe(before);
    await expect(world.read('memory/api.md')).rejects.toThrow('ENOENT');
  });

  it('keeps no other lesson about the same subject out', async () => {
    await complete(WAL);
    const other = { ...WAL, content: `${WAL.content} Checkpoints wait for the slowest of them.` };
    expect(await complete(other)).toMatchObject({ added: 1, duplicates: 0 });
  });

  it('is known from a file that was never indexed', async () => {
    await world.write('memory/old.md', `# old\n\n#### Use WAL (2020-01-01)\n- ${WAL.content}\n`);
    expect(await complete(WAL)).toMatchObject({ added: 0, duplicates: 1 });
  });

  it('is known even if its chunk was pruned', async () => {
    await complete(WAL);
    const { store } = await world.projects.open(world.path);
    await store.retrievals.deleteUnusedSince(world.clock.now(), 100);
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
    const unused = await store.retrievals.findUnusedSince(world.clock.now());
    expect(unused.length).toBe((await store.chunks.stats()).totalChunks);
  });
});
