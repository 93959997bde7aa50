import { expect, it } from 'vitest';
import { findMoves, toReport } from '../../../src/app/ingestion/ingestion-pass.js';
import type { Source } from '../../../src/app/ingestion/source.js';
import type { Project } from '../../../src/app/project.js';
import type { IndexedSource } from '../../../src/ports/source-repository.js';
import { SilentLogger } from '../../fakes/silent-logger.js';

const indexed = (sourceFile: string, chunkCount = 1): IndexedSource => ({
  sourceType: 'file',
  sourceFile,
  contentHash: 'same',
  chunkCount,
  documentChunkCount: chunkCount,
});

const listed = (sourceFile: string, read: object | 'gone' = { contentHash: 'same' }) =>
  ({ sourceFile, read: async () => (read === 'gone' ? undefined : read) }) as unknown as Source;

it('files of a renamed folder that have the same text keep their order', async () => {
  const before = ['old/c.md', 'old/a.md', 'old/b.md'].map((path) => indexed(path));
  const sources = ['new/2.md', 'new/3.md', 'new/1.md'].map((path) => listed(path));
  const moves = await findMoves(before, { sources, unreadable: [], skipped: [] });
  expect([...moves].map(([path, former]) => [path, former.sourceFile])).toEqual([
    ['new/1.md', 'old/a.md'],
    ['new/2.md', 'old/b.md'],
    ['new/3.md', 'old/c.md'],
  ]);
});

it('a new file that cannot be read, or is gone again, was not moved', async () => {
  const sources = [listed('new.md', { skipped: 'too large' }), listed('newer.md', 'gone')];
  const moves = await findMoves([indexed('old.md')], { sources, unreadable: [], skipped: [] });
  expect(moves.size).toBe(0);
});

it('a report counts sources with chunks, and lists what was left out', () => {
  const logger = new SilentLogger();
  const there = { state: 'there', chunks: 1 } as const;
  const leftOut = { sourceFile: 'docs/', reason: 'this folder cannot be read' };
  const outcome = {
    results: [
      { ...there, sourceFile: 'a.md', problems: ['its frontmatter is not YAML'] },
      { ...there, sourceFile: 'b.md', chunks: 0 },
      { ...there, sourceFile: 'c.md', chunks: 0, skipped: 'it is too large' },
    ],
    hidden: [indexed('docs/a.md'), indexed('docs/empty.md', 0)],
    removed: 4,
    unreadable: ['docs'],
    skipped: [leftOut],
  };
  const skipped = [
    leftOut,
    { sourceFile: 'c.md', reason: 'it is too large' },
    { sourceFile: 'a.md', reason: 'its frontmatter is not YAML', isRead: true },
  ];
  const project = { path: '/project' } as Project;
  expect(toReport(outcome, project, logger)).toEqual({ indexed: 2, skipped, removed: 4 });
  expect(logger.entries).toEqual([
    {
      level: 'warn',
      message: 'Some sources were left out or could not be read.',
      fields: { project: '/project', count: 3, skipped },
    },
  ]);
});
