import { expect, it } from 'vitest';
import { findSourceKind, SOURCE_KINDS } from '../../../src/app/ingestion/source-kinds.js';
import { InMemoryProjectFiles } from '../../fakes/in-memory-project-files.js';

const FOLDERS = ['memory', 'notes', 'urls', 'digests', 'documents', 'sessions'];
const NAMES = ['a.md', 'B.MD', 'c.md.txt', 'd.', '.hidden', '.md', 'deep/e.md'];
const files = new InMemoryProjectFiles(
  Object.fromEntries(
    FOLDERS.flatMap((folder) => NAMES.map((name) => [`.knowledge/${folder}/${name}`, 'Text.'])),
  ),
);

const DIRECTLY_IN_IT = { read: ['a.md'], others: ['B.MD', 'c.md.txt', 'd.', 'deep'] };

it.each([
  ['memory', DIRECTLY_IN_IT],
  ['urls', DIRECTLY_IN_IT],
  ['digests', DIRECTLY_IN_IT],
  ['sessions', DIRECTLY_IN_IT],
  ['notes', { read: ['B.MD', 'a.md', 'deep/e.md'], others: ['.hidden', '.md', 'c.md.txt', 'd.'] }],
  ['documents', { read: NAMES.toSorted(), others: [] }],
])('of the folder %s, these files are read or reported: %j', async (folder, { read, others }) => {
  const path = (name: string) => `.knowledge/${folder}/${name}`;
  const kind = findSourceKind('.knowledge', path('a.md'));
  const place = { files, project: '/project', appDir: '.knowledge' };
  const { paths, leftOut = [] } = (await kind?.list(place)) ?? { paths: [] };
  expect(paths).toEqual(read.map(path));
  expect(leftOut).toEqual(
    others.map((name) => ({
      path: path(name),
      why: 'only .md files are read in this folder',
      remedy: '',
    })),
  );
});

it.each([
  ['.knowledge/features/login/reflection.md', 'reflections'],
  ['.knowledge/features/login/agent-output.md', 'agentOutputs'],
  ['.knowledge/features/login/other.md', undefined],
  ['.knowledge/memory/api.md', 'categories'],
  ['.knowledge/notes/deep/a.md', 'saved'],
  ['.knowledge/documents/a.txt', 'saved'],
  ['.knowledge/sessions/a.md', 'sessions'],
  ['docs/a.md', undefined],
])('%s is a source of the kind %s', (path, group) => {
  expect(findSourceKind('.knowledge', path)?.group).toBe(group);
  expect(SOURCE_KINDS.filter((kind) => kind.owns('.knowledge', path)).length).toBe(group ? 1 : 0);
});
