import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OwnChunkRepository } from '../../../src/app/projects/own-chunk-repository.js';
import { readPlain } from '../../../src/domain/query/query.js';
import type { ChunkRepository } from '../../../src/ports/chunk-repository.js';
import { chunk } from '../../support/chunks.js';
import type { MakeHarness } from '../harness/store-harness.js';

interface RepositoryUnderTest {
  readonly repository: ChunkRepository;
  readonly projectPath: string;
  readonly otherProjectPath: string;
  dispose(): Promise<void>;
}

/** The service's own repository, over some stores. */
export function overStores(makeHarness: MakeHarness): () => Promise<RepositoryUnderTest> {
  return async () => {
    const harness = await makeHarness();
    return {
      repository: new OwnChunkRepository(() => harness.stores),
      projectPath: harness.projectPath,
      otherProjectPath: harness.otherProjectPath,
      dispose: () => harness.dispose(),
    };
  };
}

/** The contract of `ChunkRepository`, both for the service's own and for one that a program provides. */
export function describeChunkRepository(
  name: string,
  make: () => Promise<RepositoryUnderTest>,
): void {
  describe(`ChunkRepository: ${name}`, () => {
    let subject: RepositoryUnderTest;
    beforeEach(async () => {
      subject = await make();
    });
    afterEach(() => subject.dispose());

    const replaceIn = (project: string, sourceFile: string, contents: readonly string[]) =>
      subject.repository.replaceChunks(
        project,
        sourceFile,
        contents.map((content, i) => chunk(sourceFile, i, { content })),
      );
    const replace = (sourceFile: string, contents: readonly string[]) =>
      replaceIn(subject.projectPath, sourceFile, contents);
    const get = (...ids: readonly string[]) =>
      subject.repository.getChunks(subject.projectPath, ids);
    const contents = async (...ids: readonly string[]) =>
      (await get(...ids)).map(({ content }) => content).toSorted();
    const search = async (text: string, limit = 10) => {
      const query = readPlain(text);
      const expression = { kind: 'or', operands: query.words.map(toTerms) } as const;
      const found = await subject.repository.searchChunks(subject.projectPath, {
        words: query.words,
        expression,
        limit,
      });
      expect(found.every(({ score }) => score > 0)).toBe(true);
      return found.map((one) => one.chunk.id).toSorted();
    };

    it('returns a chunk as it was stored', async () => {
      const stored = chunk('a.md', 0, {
        heading: 'Locks',
        content: 'Writers wait.\n\nFor readers.',
        tags: ['db', 'größe'],
        importance: 0.9,
        sourceType: 'file',
      });
      await subject.repository.replaceChunks(subject.projectPath, 'a.md', [stored]);
      const { createdAt: _, updatedAt: __, projectPath: ___, ...same } = stored;
      expect(await get('a.md#0')).toMatchObject([same]);
    });

    it('returns the chunks with these ids, without unknown ones', async () => {
      await replace('a.md', ['one', 'two']);
      await replace('b.md', ['three']);
      expect(await contents('b.md#0', 'none#0', 'a.md#1')).toEqual(['three', 'two']);
      expect(await contents()).toEqual([]);
    });

    it('replaces the chunks of one source', async () => {
      await replace('a.md', ['one', 'two']);
      await replace('b.md', ['three']);
      await replace('a.md', ['four']);
      expect(await contents('a.md#0', 'a.md#1', 'b.md#0')).toEqual(['four', 'three']);
      expect(await search('one two')).toEqual([]);
      await replace('a.md', []);
      expect(await contents('a.md#0', 'b.md#0')).toEqual(['three']);
    });

    it('keeps projects apart', async () => {
      await replace('a.md', ['one']);
      await replaceIn(subject.otherProjectPath, 'a.md', ['two']);
      expect(await contents('a.md#0')).toEqual(['one']);
      expect(await search('two')).toEqual([]);
      await replaceIn(subject.otherProjectPath, 'a.md', []);
      expect(await contents('a.md#0')).toEqual(['one']);
    });

    it('finds the chunks with any of the words, at most as many as asked for', async () => {
      await replace('a.md', ['the ibex', 'an okapi', 'the ibex and the okapi']);
      expect(await search('ibex')).toEqual(['a.md#0', 'a.md#2']);
      expect(await search('ibex okapi')).toEqual(['a.md#0', 'a.md#1', 'a.md#2']);
      expect(await search('tapir')).toEqual([]);
      expect(await search('ibex okapi', 2)).toHaveLength(2);
    });

    it('finds a chunk by its heading', async () => {
      const headed = chunk('a.md', 0, { heading: 'Tapirs', content: 'They swim.' });
      await subject.repository.replaceChunks(subject.projectPath, 'a.md', [headed]);
      expect(await search('tapirs')).toEqual(['a.md#0']);
    });

    it('deletes chunks, retrieved or not, and ignores unknown ids', async () => {
      await replace('a.md', ['one', 'two', 'three']);
      const { repository, projectPath } = subject;
      await repository.countRetrievals(projectPath, ['a.md#0', 'none#0'], new Date());
      await repository.deleteChunks(projectPath, ['a.md#0', 'a.md#1', 'none#0']);
      expect(await contents('a.md#0', 'a.md#1', 'a.md#2')).toEqual(['three']);
      expect(await search('one')).toEqual([]);
    });

    it('counts its chunks', async () => {
      const { repository, projectPath } = subject;
      expect(await repository.getStats(projectPath)).toMatchObject({
        totalChunks: 0,
        uniqueSources: 0,
      });
      await replace('a.md', ['one', 'two']);
      const page = chunk('b.md', 0, { sourceType: 'url' });
      await repository.replaceChunks(projectPath, 'b.md', [page]);
      expect(await repository.getStats(projectPath)).toMatchObject({
        totalChunks: 3,
        uniqueSources: 2,
        sourceTypeBreakdown: { manual: 2, url: 1, file: 0 },
        sizeBytes: expect.any(Number),
      });
    });
  });
}

function toTerms(text: string) {
  return { kind: 'terms', terms: [{ text, prefix: false }] } as const;
}
