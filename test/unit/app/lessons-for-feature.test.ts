import { beforeEach, describe, expect, it } from 'vitest';
import { estimateTokens, tokenCost } from '../../../src/domain/text.js';
import { type CoreInMemory, coreInMemory } from '../../support/core-in-memory.js';
import { unretrieved } from '../../support/unretrieved.js';

const P = '/project';
const IN_HAND = { title: 'Cache invalidation', description: 'Entries outlive their source.' };

describe('the lessons for a feature that enters EXECUTE', () => {
  let world: CoreInMemory;
  beforeEach(() => {
    world = coreInMemory();
  });
  const write = (file: string, text: string) => world.ports.files.set(`.knowledge/${file}`, text);

  function lessons(rest: { readonly featureId?: string; readonly maxResults?: number } = {}) {
    return world.core.features.lessonsFor(P, { ...IN_HAND, ...rest });
  }

  async function indexed() {
    await world.core.store.readAllSources(P);
    return world.core.projects.open(P);
  }

  it('are lessons first, then outputs of agents', async () => {
    const text = 'Cache invalidation by a version, so that entries do not outlive their source.';
    write('features/a/agent-output.md', text);
    write('features/b/reflection.md', `## B\n${text}`);
    write('notes/c.md', `## C\n${text}`);
    write('digests/d.md', `## D\n${text}`);
    write('memory/e.md', `## E\n${text}`);
    write('memory/f.md', '## F\nThe cache is warm.');
    world.ports.files.set('docs/cache.md', `## G\n${text}`);
    await indexed();
    const found = async (maxResults?: number) =>
      (await lessons(maxResults === undefined ? {} : { maxResults })).results.map(
        ({ chunk }) => chunk.heading,
      );
    const all = await found(10);
    expect(all.slice(0, 4).sort()).toEqual(['B', 'C', 'D', 'E']);
    expect(all.slice(4)).toEqual(['Agent output: a', 'F']);
    expect((await found(4)).sort()).toEqual(['B', 'C', 'D', 'E']);
  });

  it('include a note as soon as it is saved', async () => {
    const note = { title: 'Stale entries', content: 'Delete them with their source.' };
    await world.core.notes.addNote(P, note);
    const { results, section } = await lessons();
    expect(results.map(({ chunk }) => chunk.sourceFile)).toEqual([
      '.knowledge/notes/stale-entries.md',
    ]);
    expect(section).toContain(note.content);
  });

  it('are reflections and agent outputs that the title or the description finds', async () => {
    write('features/a/reflection.md', '## Cache\n\nInvalidation by a version.');
    write('features/b/agent-output.md', 'The source wins over the cache.');
    await indexed();
    const { section, source, results } = await lessons();
    expect(source).toBe('search');
    expect(results.map(({ chunk }) => chunk.id).sort()).toEqual([
      '.knowledge/features/a/reflection.md#0',
      '.knowledge/features/b/agent-output.md#0',
    ]);
    expect(section).toContain('## Lessons from Similar Features');
    expect(section).toContain('### Cache (reflection: .knowledge/features/a/reflection.md)');
    expect(section).toContain('\nInvalidation by a version.\n');
  });

  it.each([
    ['title', 'Nobody wrote about invalidation.'],
    ['description', 'Some entries are stale.'],
  ])('are found by a word of the %s alone', async (_, reflection) => {
    write('features/a/reflection.md', reflection);
    await indexed();
    const { results } = await lessons();
    expect(results.map(({ chunk }) => chunk.content)).toEqual([reflection]);
  });

  it('are found by other words for the same task', async () => {
    write('features/a/reflection.md', '## A\nMemoization broke the checkout.');
    write('notes/b.md', '## B\nMemoized prices were wrong.');
    await indexed();
    expect((await lessons()).results).toEqual([]);
    const also = 'memoization, memoized results';
    const { results } = await world.core.features.lessonsFor(P, { ...IN_HAND, also });
    expect(results.map(({ chunk }) => chunk.heading).sort()).toEqual(['A', 'B']);
  });

  it('count as retrievals', async () => {
    write('features/a/reflection.md', 'Cache invalidation by a version.');
    const project = await indexed();
    await lessons();
    world.ports.clock.advance(365 * 24 * 60 * 60 * 1000);
    expect(await unretrieved(project.store)).toEqual([]);
  });

  it('are not its own', async () => {
    write('features/me/reflection.md', 'Cache invalidation by a version.');
    write('features/me/agent-output.md', 'Cache invalidation is done.');
    write('features/meadow/reflection.md', 'Cache invalidation by time.');
    await indexed();
    const { results } = await lessons({ featureId: 'me' });
    expect(results.map(({ chunk }) => chunk.sourceFile)).toEqual([
      '.knowledge/features/meadow/reflection.md',
    ]);
  });

  it('are first of all those of the features that it builds on', async () => {
    write('features/me/feature.json', '{"dependencies": ["basis", "gone"]}');
    write('features/alike/reflection.md', 'Cache invalidation, cache invalidation.');
    write('features/basis/agent-output.md', 'A long story about much else. Cache.');
    await indexed();
    const ids = async (featureId?: string) => {
      const { results } = await lessons(featureId === undefined ? {} : { featureId });
      return results.map(({ chunk }) => chunk.sourceFile.split('/').at(-2));
    };
    expect(await ids()).toEqual(['alike', 'basis']);
    expect(await ids('me')).toEqual(['basis', 'alike']);
  });

  it('are at most five, or as many as requested', async () => {
    for (const id of 'abcdefg') {
      write(`features/${id}/reflection.md`, `Cache invalidation ${id}.`);
    }
    await indexed();
    expect((await lessons()).results).toHaveLength(5);
    expect((await lessons({ maxResults: 2 })).results).toHaveLength(2);
  });

  it('fit into the budget of their section, without the last ones', async () => {
    for (const id of 'abcd') {
      write(`features/${id}/reflection.md`, `## ${id}\nCache invalidation, as ${id} did it.`);
    }
    await indexed();
    const within = (maxTokens?: number) =>
      world.core.features.lessonsFor(P, { ...IN_HAND, ...(maxTokens && { maxTokens }) });
    const { section, results } = await within();
    const tokens = Math.max(tokenCost(section), estimateTokens(section));
    expect((await within(tokens)).section).toBe(section);
    const fewer = await within(tokens - 1);
    expect(fewer.results).toEqual(results.slice(0, 3));
    expect(fewer.section).not.toContain(`### ${results[3]?.chunk.heading}`);
    expect(await within(1)).toMatchObject({ results: [], section: '', source: 'none' });
  });

  it('are all that match if the relevance is unknown', async () => {
    write('features/a/reflection.md', '## A\nCache invalidation, or entries outlive their source.');
    write('features/b/reflection.md', '## B\nThe source is open.');
    await indexed();
    const found = await world.core.features.lessonsFor(P, { ...IN_HAND, minRelevance: 0.9 });
    expect([found.results.length, found.leftOut]).toEqual([2, undefined]);
  });

  it.each([
    [{}, 1],
    [{ counted: true }, 1],
    [{ counted: false }, 0],
  ])('count as a retrieval unless told otherwise: %j', async (counted, retrievals) => {
    write('features/a/reflection.md', '## A\nCache invalidation.');
    const { store } = await indexed();
    await world.core.features.lessonsFor(P, { ...IN_HAND, ...counted });
    expect(await unretrieved(store)).toHaveLength(1 - retrievals);
  });

  it('are empty if nothing is known', async () => {
    expect(await lessons()).toEqual({ section: '', source: 'none', results: [] });
  });

  it.each([
    ['unknown', 'not_found'],
    ['ME', 'not_found'],
    ['../features/me', 'invalid_request'],
    ['', 'invalid_request'],
    ['me/..', 'invalid_request'],
  ])('are refused for the feature %j', async (featureId, code) => {
    write('features/me/feature.json', '{}');
    await expect(lessons({ featureId })).rejects.toMatchObject({ code });
  });

  describe('when the search finds nothing', () => {
    function sibling(id: string, feature: object, reflection = `Reflected by ${id}.`) {
      write(`features/${id}/feature.json`, JSON.stringify(feature));
      write(`features/${id}/reflection.md`, reflection);
    }

    beforeEach(() => {
      write('features/me/feature.json', '{"epicId": "e"}');
      sibling('old', { epicId: 'e', status: 'done', updatedAt: '2026-01-01T00:00:00Z' });
      sibling('new', { epicId: 'e', status: 'verified', updatedAt: '2026-01-03T00:00:00Z' });
    });

    it('are the reflections of finished siblings, newest first', async () => {
      sibling('open', { epicId: 'e', status: 'in_progress' });
      sibling('other', { epicId: 'o', status: 'done' });
      const { section, source, results } = await lessons({ featureId: 'me' });
      expect({ source, results }).toEqual({ source: 'siblings', results: [] });
      expect(section.split('\n').filter((line) => line.startsWith('#'))).toEqual([
        '## Lessons from Similar Features',
        '### Reflection: new (reflection: .knowledge/features/new/reflection.md)',
        '### Reflection: old (reflection: .knowledge/features/old/reflection.md)',
      ]);
      expect(section).toContain('\nReflected by new.\n');
    });

    it('are of three siblings at most, those without a reflection not counted', async () => {
      write('features/c/feature.json', '{"epicId": "e", "status": "done"}');
      for (const id of ['x', 'y']) {
        sibling(id, { epicId: 'e', status: 'done', updatedAt: '2026-01-02T00:00:00Z' });
      }
      const { section } = await lessons({ featureId: 'me' });
      expect(section.match(/Reflected by (\w+)/g)).toEqual([
        'Reflected by new',
        'Reflected by x',
        'Reflected by y',
      ]);
    });

    it('keep to the budget of 3000 tokens', async () => {
      const long = 'Word. '.repeat(3000);
      const time = { epicId: 'e', status: 'done', updatedAt: '2026-01-04T00:00:00Z' };
      sibling('long', time, long);
      const { section } = await lessons({ featureId: 'me' });
      expect(section).toContain('Reflection: long');
      expect(section.length).toBeLessThan(12_500);
      expect(section).not.toContain('Reflected by');
    });

    it('are empty for a feature that is not named, has no epic or a broken feature.json', async () => {
      write('features/loose/feature.json', '{"title": "Loose"}');
      write('features/broken/feature.json', '{"epicId": "e"');
      expect((await lessons()).source).toBe('none');
      expect((await lessons({ featureId: 'loose' })).source).toBe('none');
      expect((await lessons({ featureId: 'broken' })).source).toBe('none');
    });

    it('are not read from a file that may not be read, which is said', async () => {
      sibling('evil', { epicId: 'e', status: 'done' });
      const link = '.knowledge/features/evil/reflection.md';
      world.ports.files.delete(link);
      world.ports.files.refuse(link, 'it is a link out of the project');
      const { section } = await lessons({ featureId: 'me' });
      expect(section).not.toContain('evil');
      expect(world.ports.logger.messages('warn')).toEqual(['A file of a feature was not read.']);
    });
  });
});
