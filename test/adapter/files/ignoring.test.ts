import { linkSync, symlinkSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { FileSystemProjectFiles } from '../../../src/adapters/files/file-system-project-files.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();
const files = new FileSystemProjectFiles(appDirectories('.knowledge'));
let project: TempProject;

beforeEach(() => {
  project = projects.make({ 'a.md': 'a', 'docs/b.md': 'b' });
});

it('leaves out what .gitignore files ignore, the nearest first', async () => {
  project.writeAll({
    '.gitignore': '# rules\nsecret/\n*.tmp.md\n/top.md\n!keep.tmp.md\n',
    'top.md': 'x',
    'docs/top.md': 'x',
    'docs/secret/c.md': 'x',
    'x.tmp.md': 'x',
    'keep.tmp.md': 'x',
    'docs/.gitignore': '!x.tmp.md\nB.md\n',
    'docs/x.tmp.md': 'x',
  });
  expect(await found()).toEqual([
    'a.md',
    'docs/b.md',
    'docs/top.md',
    'docs/x.tmp.md',
    'keep.tmp.md',
  ]);
});

it('is not held up by patterns with stars in each of several names', async () => {
  const name = 'b'.repeat(120);
  project.writeAll({
    '.gitignore': '/*b*/*b*/*b*/*b*/x\n',
    [`${[name, name, name, name].join('/')}/c.md`]: 'x',
  });
  const begin = performance.now();
  expect(await found()).toHaveLength(3);
  expect(performance.now() - begin).toBeLessThan(2000);
});

it('leaves out what .gitignore files above the project ignore, up to the root of the repository', async () => {
  const repository = projects.make({
    '.git/HEAD': 'ref',
    '.gitignore': 'gen/\n/pkg/private.md\n[!a].md\n/other/\n',
    'pkg/gen/a.md': 'x',
    'pkg/private.md': 'x',
    'pkg/a.md': 'x',
    'pkg/b.md': 'x',
    'other/a.md': 'x',
    'other/b.md': 'x',
  });
  const patterns = { include: ['**/*.md'], exclude: [], ignore: true };
  const listedIn = async (folder: string) =>
    (await files.listMarkdown(repository.at(folder), patterns)).paths;
  expect(await listedIn('pkg')).toEqual(['a.md']);
  expect(await listedIn('other')).toEqual(['a.md', 'b.md']);
});

it('leaves out build folders, nested repositories and worktrees, and lists them', async () => {
  const folders = ['dist', 'build', 'target', 'out', 'coverage'];
  project.writeAll({
    ...Object.fromEntries(folders.map((folder) => [`docs/${folder}/x.md`, 'x'])),
    'repository/.git/HEAD': 'ref',
    'repository/x.md': 'x',
    'worktree/.git': 'gitdir: elsewhere',
    'worktree/x.md': 'x',
    '.git/HEAD': 'ref',
    '.gitignore': 'private.md\nmain.o\ngen/\nnode_modules/\n.cache/\n',
    'private.md': 'x',
    'main.o': 'x',
    'gen/x.md': 'x',
    'node_modules/x.md': 'x',
    '.cache/x.md': 'x',
  });
  const { paths, leftOut = [] } = await listed();
  expect(paths).toEqual(['a.md', 'docs/b.md']);
  const [builds, repositories, ignored] = [
    'it is a build folder',
    'it is a separate repository',
    'git ignores it',
  ].map((why) => leftOut.flatMap((one) => (one.why === why ? one.path : [])).sort());
  expect(builds).toEqual(folders.map((folder) => `docs/${folder}/`).sort());
  expect(repositories).toEqual(['repository/', 'worktree/']);
  expect(ignored).toEqual(['gen/', 'private.md']);
});

it.each([
  [['docs/**/*.md'], [], ['a.md', 'docs/build/']],
  [['**/*.md'], ['dist/**', 'gen/'], ['docs/build/', 'packages/api/']],
  [['**/*.md'], ['**/build/**'], ['dist/', 'gen/', 'packages/api/']],
  [['{dist,gen}/**', 'packages/api/docs/*.md'], [], ['a.md', 'docs/b.md']],
])('tells what is left out of %j without %j: %j', async (include, exclude, expected) => {
  project.writeAll({
    '.gitignore': 'gen/',
    'dist/x.md': 'x',
    'docs/build/x.md': 'x',
    'gen/x.md': 'x',
    'packages/api/.git/HEAD': 'x',
    'packages/api/docs/x.md': 'x',
  });
  const { leftOut = [] } = await files.listMarkdown(project.path, {
    include,
    exclude,
    ignore: true,
  });
  expect(leftOut.map(({ path }) => path).sort()).toEqual(expected);
});

it.each([
  ['build folders', ['docs/build/'], ['docs/build/dist/y.md', 'docs/build/y.md']],
  ['repositories', ['sub/docs/**'], ['sub/docs/y.md']],
  ['a repository with another in it', ['sub/**'], ['sub/docs/y.md', 'sub/y.md']],
  ['what git ignores', ['gen/api/*.md'], ['gen/api/y.md']],
  [
    'what git ignores, and leaves out what it ignores there',
    ['gen/**'],
    ['gen/api/y.md', 'gen/y.md'],
  ],
  ['hidden folders', ['.claude/'], ['.claude/y.md']],
])('searches %s that a pattern names', async (_, include, expected) => {
  project.writeAll({
    '.gitignore': 'gen/\n.claude/',
    'docs/build/y.md': 'y',
    'docs/build/dist/y.md': 'y',
    '.claude/y.md': 'y',
    'sub/.git': 'x',
    'sub/y.md': 'y',
    'sub/docs/y.md': 'y',
    'sub/deep/.git': 'x',
    'sub/deep/y.md': 'y',
    'gen/y.md': 'y',
    'gen/api/y.md': 'y',
    'gen/.gitignore': 'z.md',
    'gen/z.md': 'z',
  });
  const patterns = { include, exclude: [], ignore: true };
  expect((await files.listMarkdown(project.path, patterns)).paths).toEqual(expected);
});

it.each([
  ['what git ignores', 'gen/api/*.md', ['gen/api/v1/y.md', 'gen/api/y.md']],
  ['what git ignores, several folders deep', 'gen/api/v1/*.md', ['gen/api/v1/y.md']],
  ['build folders', 'docs/build/site/', ['docs/build/site/deep/y.md', 'docs/build/site/y.md']],
  ['repositories', 'sub/docs/*.md', ['sub/docs/y.md']],
  ['hidden folders', '.claude/rules/*.md', ['.claude/rules/y.md']],
])(
  'passes %s to the folder that a pattern names, and searches nothing else there',
  async (_, named, expected) => {
    project.writeAll({
      '.gitignore': 'gen/',
      'gen/y.md': 'y',
      'gen/other/y.md': 'y',
      'gen/api/y.md': 'y',
      'gen/api/v1/y.md': 'y',
      'gen/.gitignore': 'z.md',
      'gen/api/z.md': 'z',
      'gen/api/v1/z.md': 'z',
      'docs/build/y.md': 'y',
      'docs/build/other/y.md': 'y',
      'docs/build/site/y.md': 'y',
      'docs/build/site/deep/y.md': 'y',
      'sub/.git': 'x',
      'sub/y.md': 'y',
      'sub/other/y.md': 'y',
      'sub/docs/y.md': 'y',
      'sub/docs/deep/.git': 'x',
      'sub/docs/deep/y.md': 'y',
      '.claude/y.md': 'y',
      '.claude/other/y.md': 'y',
      '.claude/rules/y.md': 'y',
    });
    const patterns = { include: ['**/*.md', named], exclude: [], ignore: true };
    const { paths } = await files.listMarkdown(project.path, patterns);
    expect(paths.filter((path) => path.endsWith('y.md'))).toEqual(expected);
    expect(paths).not.toContain('gen/api/z.md');
  },
);

it.each([
  ['vendor/acme/README.md', 'vendor/'],
  ['web/third_party/x/README.md', 'web/third_party/'],
  ['venv/lib/python3/site-packages/x/README.md', 'venv/lib/python3/site-packages/'],
  ['ios/Pods/x/README.md', 'ios/Pods/'],
])(
  'leaves out %s, tells %s, and reads it where a pattern names the folder',
  async (path, folder) => {
    project.writeAll({ [path]: 'x' });
    const { paths, leftOut = [] } = await listed();
    expect(paths).toEqual(['a.md', 'docs/b.md']);
    expect(leftOut).toEqual([{ path: folder, why: 'it holds third-party code' }]);
    const patterns = { include: [folder], exclude: [], ignore: true };
    expect((await files.listMarkdown(project.path, patterns)).paths).toEqual([path]);
  },
);

it('reads endings in any letter case', async () => {
  project.writeAll({ 'README.MD': 'x', 'docs/c.Md': 'x', 'd.MDX': 'x' });
  expect(await found()).toEqual(['README.MD', 'a.md', 'docs/b.md', 'docs/c.Md']);
  const patterns = { include: ['**/*.mdx', '*.MD'], exclude: ['docs/**'], ignore: true };
  expect((await files.listMarkdown(project.path, patterns)).paths).toEqual(['README.MD', 'd.MDX']);
});

it('lists documentation that no pattern matches, but not files of tools, code or hidden files', async () => {
  project.writeAll({
    'a.mdx': 'x',
    'docs/b.MDX': 'x',
    'README.rst': 'x',
    'docs/c.txt': 'x',
    'requirements.txt': 'x',
    'a.ts': 'x',
    '.hidden.mdx': 'x',
    'old/d.rst': 'x',
    'notes/meeting.txt': 'x',
    'sub/CMakeLists.txt': 'x',
    'LICENSE-MIT.txt': 'x',
  });
  const patterns = { include: ['**/*.md'], exclude: ['old/**'], ignore: true };
  const { leftOut = [] } = await files.listMarkdown(project.path, patterns);
  expect(leftOut.map(({ path, why }) => `${path}: ${why}`).sort()).toEqual([
    'README.rst: no pattern matches this .rst file',
    'a.mdx: no pattern matches this .mdx file',
    'docs/b.MDX: no pattern matches this .mdx file',
    'docs/c.txt: no pattern matches this .txt file',
    'notes/meeting.txt: no pattern matches this .txt file',
  ]);
});

it('lists links to folders, which are not followed', async () => {
  project.writeAll({ 'shared/x.md': 'x' });
  symlinkSync(project.at('shared'), project.at('docs/shared'));
  symlinkSync(project.path, project.at('docs/.hidden'));
  symlinkSync(project.at('gone'), project.at('gone.md'));
  const { leftOut = [] } = await listed();
  const why = 'links to folders are not followed';
  expect(leftOut).toEqual([{ path: 'docs/shared/', why, remedy: '' }]);
});

it('lists the patterns that matched no file', async () => {
  const include = ['Docs/**', 'docs/*.md', 'notes/*.md', '**/*.md'];
  const { leftOut = [] } = await files.listMarkdown(project.path, {
    include,
    exclude: [],
    ignore: true,
  });
  expect(leftOut.map(({ path, why }) => `${path}: ${why}`)).toEqual([
    'Docs/**: this pattern matched no file; docs/b.md differs only in letter case',
    'notes/*.md: this pattern matched no file',
  ]);
});

it('leaves out nothing of this if the setting is off', async () => {
  project.writeAll({ '.gitignore': '*.md', 'build/x.md': 'x', 'sub/.git': 'x', 'sub/y.md': 'y' });
  expect(await found(false)).toEqual(['a.md', 'build/x.md', 'docs/b.md', 'sub/y.md']);
});

it('does not take long with patterns that are made to', async () => {
  const name = `${'a'.repeat(200)}.md`;
  project.writeAll({
    '.gitignore': `${'*a'.repeat(60)}b\n${'**/'.repeat(50)}b\nb.md`,
    [name]: 'x',
  });
  expect(await found()).toEqual(['a.md', name]);
});

it('searches hidden folders and those of builds if a pattern names them', async () => {
  project.writeAll({
    '.knowledge/context/rules.md': 'x',
    '.knowledge/context/deep/more.md': 'x',
    '.knowledge/other/x.md': 'x',
    '.github/x.md': 'x',
    'docs/build/y.md': 'x',
    '.git/context/x.md': 'x',
  });
  const found = async (include: readonly string[]) => {
    const patterns = { include, exclude: [], ignore: true };
    return (await files.listMarkdown(project.path, patterns)).paths;
  };
  expect(await found(['.knowledge/context/*.md'])).toEqual(['.knowledge/context/rules.md']);
  expect(await found(['{.knowledge/context,docs}/**'])).toEqual([
    '.knowledge/context/deep/more.md',
    '.knowledge/context/rules.md',
    'docs/b.md',
  ]);
  expect(await found(['**/*.md'])).toEqual(['a.md', 'docs/b.md']);
  expect(await found(['.git/context/*.md'])).toEqual([]);
  expect(await found(['.github/', 'docs/build/*.md'])).toEqual(['.github/x.md', 'docs/build/y.md']);
});

it('lists files before the links to files', async () => {
  symlinkSync('docs/b.md', project.at('0.md'));
  linkSync(project.at('a.md'), project.at('z.md'));
  expect(await found()).toEqual(['a.md', 'docs/b.md', 'z.md', '0.md']);
});

it('knows nothing of a project that is gone', async () => {
  project.remove();
  expect(await listed()).toEqual({ paths: [], unreadable: [''] });
});

async function found(ignore = true): Promise<readonly string[]> {
  return (await listed(ignore)).paths;
}

function listed(ignore = true) {
  return files.listMarkdown(project.path, { include: ['**/*.md'], exclude: [], ignore });
}
