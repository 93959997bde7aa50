import { beforeEach, describe, expect, it } from 'vitest';
import type { OpenProject } from '../../../src/app/projects/open-project.js';
import type { SavedFiles } from '../../../src/app/saved/saved-files.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';
import { savedFilesIn } from '../../support/saved-files.js';

const NOTE = { sourceType: 'manual', name: 'locks' } as const;
const PATH = '.knowledge/notes/locks.md';

let files: InMemoryProjectFiles;
let saved: SavedFiles;
let ingestFile: (path: string) => Promise<{ readonly chunks: number }>;
let ingested: string[];

const project = {
  path: '/project',
  store: { chunks: { indexedSources: async () => [{ sourceFile: PATH, chunkCount: 3 }] } },
  ingestFile: (path: string) => {
    ingested.push(path);
    return ingestFile(path);
  },
} as unknown as OpenProject;

beforeEach(() => {
  ingested = [];
  ingestFile = async () => ({ chunks: 2 });
  files = new InMemoryProjectFiles();
  saved = savedFilesIn(files);
});

describe('the names of saved files', () => {
  beforeEach(() => {
    for (const folder of ['notes', 'urls', 'documents']) {
      for (const name of ['a.md', 'b.txt', 'deep/c.md', 'D.MD', '.hidden.md']) {
        files.set(`.knowledge/${folder}/${name}`, 'Text.');
      }
    }
  });

  it('are, for notes, those of Markdown files at any depth', async () => {
    expect(await saved.names(project, 'manual')).toEqual(['D.MD', 'a', 'deep/c']);
  });

  it('are, for pages, those of the Markdown files in their folder', async () => {
    expect(await saved.names(project, 'url')).toEqual(['.hidden', 'a']);
  });
});

describe('a new file', () => {
  it('is written and indexed', async () => {
    expect(await saved.create(project, NOTE, 'Text.')).toEqual({ sourceFile: PATH, chunks: 2 });
    expect([files.text(PATH), ingested]).toEqual(['Text.', [PATH]]);
  });

  it('does not replace another', async () => {
    files.set(PATH, 'Of somebody else.');
    expect(await saved.create(project, NOTE, 'Text.')).toBeUndefined();
    expect([files.text(PATH), ingested]).toEqual(['Of somebody else.', []]);
  });

  describe('that cannot be indexed', () => {
    const create = () => saved.create(project, NOTE, 'Text.');

    beforeEach(() => {
      ingestFile = () => Promise.reject(new Error('The disk is full.'));
    });

    it('is removed again', async () => {
      await expect(create()).rejects.toThrow('The disk is full.');
      expect(files.paths).toEqual([]);
    });

    it('stays if it is not known to be the same file', async () => {
      files.statOf = () => Promise.reject(new Error('no'));
      await expect(create()).rejects.toThrow('The disk is full.');
      files.delete(PATH);
      files.statOf = async () => ({ skipped: 'it may not be read' });
      await expect(create()).rejects.toThrow('The disk is full.');
      expect(files.paths).toEqual([PATH]);
    });

    it('is reported with this reason if it cannot be removed either', async () => {
      files.deleteFile = () => Promise.reject(new Error('no'));
      await expect(create()).rejects.toThrow('The disk is full.');
    });
  });
});

it('a free name is looked for ten times', async () => {
  files.set(PATH, 'Text.');
  const tried: (readonly string[])[] = [];
  const choose = (taken: readonly string[]) => {
    tried.push([...taken]);
    const name = `note-${tried.length}`;
    files.set(`.knowledge/notes/${name}.md`, 'Of somebody else.');
    return name;
  };
  const creating = saved.createUnderFreeName(project, { ...NOTE, text: 'Text.', choose });
  await expect(creating).rejects.toMatchObject({
    code: 'store_unavailable',
    message: 'Other files are being saved under the same name; try again shortly.',
  });
  expect(tried).toHaveLength(10);
  expect(tried.slice(0, 3)).toEqual([
    ['locks'],
    ['locks', 'note-1'],
    ['locks', 'note-1', 'note-2'],
  ]);
});

it('a file has a time of change only if it can be read', async () => {
  expect(await saved.modifiedAt(project, NOTE)).toBeUndefined();
  files.set(PATH, 'Text.');
  expect(await saved.modifiedAt(project, NOTE)).toEqual(new Date(1000));
  files.statOf = async () => ({ skipped: 'it may not be read' });
  expect(await saved.modifiedAt(project, NOTE)).toBeUndefined();
});

it.each([
  [NOTE, 3],
  [{ ...NOTE, name: 'never-indexed' }, 0],
])('a deletion returns the number of chunks: %j', async (file, chunks) => {
  files.set(saved.toPath(project, file), 'Text.');
  expect(await saved.delete(project, file)).toBe(chunks);
  expect([files.paths, ingested]).toEqual([[], [saved.toPath(project, file)]]);
  expect(await saved.delete(project, file)).toBeUndefined();
});

it('paths follow the application directory of the project', () => {
  expect(saved.withFolder(project)).toEqual({ path: '/project', appDir: '.knowledge' });
  expect(saved.toPath({ path: '/project', appDir: '.other' }, NOTE)).toBe('.other/notes/locks.md');
  expect(saved.fileAt(project, PATH)).toEqual(NOTE);
  expect(saved.fileAt(project, 'docs/a.md')).toBeUndefined();
});
