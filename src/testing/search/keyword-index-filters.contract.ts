import { expect } from 'vitest';
import { document, draft } from '../harness/chunks.js';
import type { Suite } from '../harness/contract-suite.js';
import { expressionOf, ingest } from '../harness/project-stores-subject.js';
import { search } from './keyword-index-search.contract.js';

/** Which chunks a filter leaves out. */
export function declareFiltering({ it, subject }: Suite): void {
  it('returns only chunks with all of the tags, compared exactly, before it limits', async () => {
    const tagged = (file: string, tags: readonly string[]) =>
      ingest(subject(), document(file, [draft('copper', { tags })]));
    await tagged('a', ['db']);
    await tagged('b', ['Db', 'x"y', 'lock']);
    await ingest(subject(), document('c', ['copper']));
    await tagged('d', ['lock', 'db']);
    const withTags = async (tags: readonly string[], limit = 9) =>
      (await search(subject(), expressionOf('copper'), { tags, limit })).map(
        ({ chunk }) => chunk.sourceFile,
      );
    expect(await withTags([])).toEqual(['a', 'b', 'c', 'd']);
    expect(await withTags(['db'])).toEqual(['a', 'd']);
    expect(await withTags(['db', 'lock', 'db'])).toEqual(['d']);
    expect(await withTags(['Db', 'x"y'])).toEqual(['b']);
    expect(await withTags(['lock'], 1)).toEqual(['b']);
    expect(await withTags(['loc'])).toEqual([]);
  });

  it('returns only chunks of the requested source types, and nothing for an empty list', async () => {
    await ingest(subject(), document('a', ['copper'], 'reflection'));
    await ingest(subject(), document('b', ['copper'], 'agent_output'));
    await ingest(subject(), document('c', ['copper'], 'file'));
    const files = async (sourceTypes: readonly ('reflection' | 'file')[]) =>
      (await search(subject(), expressionOf('copper'), { sourceTypes })).map(
        (hit) => hit.chunk.sourceFile,
      );
    expect(await files(['reflection', 'file'])).toEqual(['a', 'c']);
    expect(await files(['reflection'])).toEqual(['a']);
    expect(await files([])).toEqual([]);
  });

  it('filters before it limits', async () => {
    for (const file of ['a', 'b']) await ingest(subject(), document(file, ['copper']));
    await ingest(subject(), document('c', ['copper falcon'], 'reflection'));
    const expression = expressionOf('copper');
    const typed = await search(subject(), expression, { sourceTypes: ['reflection'], limit: 1 });
    expect(typed.map((hit) => hit.chunk.sourceFile)).toEqual(['c']);
    const others = await search(subject(), expression, { excludedSources: ['a'], limit: 1 });
    expect(others.map((hit) => hit.chunk.sourceFile)).toEqual(['b']);
  });

  it('leaves out excluded sources', async () => {
    for (const file of ['a', 'b', 'c']) await ingest(subject(), document(file, ['copper']));
    const hits = await search(subject(), expressionOf('copper'), {
      excludedSources: ['a', 'c', 'x'],
    });
    expect(hits.map((hit) => hit.chunk.sourceFile)).toEqual(['b']);
  });
}
