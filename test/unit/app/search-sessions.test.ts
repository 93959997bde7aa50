import { beforeEach, describe, expect, it } from 'vitest';
import { makeRetrievalWorld, type RetrievalWorld } from '../../support/retrieval-world.js';

let world: RetrievalWorld;

const session = (name: string) => `.knowledge/sessions/2026-11-01-${name}.md`;

beforeEach(async () => {
  world = await makeRetrievalWorld();
  await world.fill(10);
});

async function names(query: string, more: object = {}): Promise<readonly string[]> {
  const request = { projectPath: '/project', query, all: true, ...more };
  const { results } = await world.hybridSearch.read(request);
  return results.map(({ chunk }) => chunk.sourceFile);
}

describe('sessions in a search of people and agents', () => {
  it.each([
    ['behind a document that is about as relevant', 0.31, ['docs/wal.md', session('a')]],
    ['before one that is clearly less relevant', 0.95, [session('a'), 'docs/wal.md']],
  ])('come %s', async (_, cosine, expected) => {
    await world.add('docs/wal.md', 'wal mode');
    await world.add(session('a'), 'wal mode wal mode');
    await world.near('docs/wal.md', 'wal mode', 0.3);
    await world.near(session('a'), 'wal mode', cosine);
    expect(await names('wal mode')).toEqual(expected);
  });

  it('come first if only they answer', async () => {
    await world.add(session('a'), 'wal mode');
    await world.near(session('a'), 'wal mode', 0.7);
    expect(await names('wal mode')).toEqual([session('a')]);
  });

  it('come after documents if nothing answers', async () => {
    await world.add('docs/wal.md', 'other words');
    await world.add(session('a'), 'different words');
    await world.near('docs/wal.md', 'hart', 0.1);
    await world.near(session('a'), 'hart', 0.3);
    expect(await names('hart')).toEqual(['docs/wal.md', session('a')]);
  });

  it('never displace other candidates, however many there are', async () => {
    await world.add('docs/wal.md', 'a long text in which wal stands once among a lot of words');
    for (let i = 0; i < 120; i += 1) {
      await world.add(session(String(i)), `wal ${i}`);
      await world.near(session(String(i)), 'wal', 0.5);
    }
    await world.near('docs/wal.md', 'wal', 0.49);
    expect((await names('wal'))[0]).toBe('docs/wal.md');
  });

  it('come first if only they contain an exact word', async () => {
    await world.add('docs/pool.md', 'pool timeout');
    await world.add(session('a'), 'pool.timeout');
    await world.near('docs/pool.md', 'pool.timeout', 0.9);
    await world.near(session('a'), 'pool.timeout', 0.5);
    expect((await names('pool.timeout'))[0]).toBe(session('a'));
  });

  it('can be searched alone', async () => {
    await world.add('docs/wal.md', 'wal');
    await world.add(session('a'), 'wal');
    expect(await names('wal', { paths: ['.knowledge/sessions'] })).toEqual([session('a')]);
  });
});
