import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { FileSystemProjectFiles } from '../../../src/adapters/files/file-system-project-files.js';
import { ProjectKeyFile } from '../../../src/adapters/files/project-key-file.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

it.each([
  ['a repository', '.'],
  ['a folder of a repository', 'packages/api'],
])('the key of %s is kept out of git, also one that was there before', async (_, folder) => {
  const repository = projects.make({ [`${folder}/.knowledge/notes/a.md`]: '# A' });
  mkdirSync(repository.at('.git'));
  const ignoreFile = repository.at(`${folder}/.knowledge/.gitignore`);
  const key = await keys().open(repository.at(folder));
  expect(readFileSync(ignoreFile, 'utf8')).toContain('project-key\n');
  repository.write(`${folder}/.knowledge/.gitignore`, 'mine\n');
  expect(await keys().open(repository.at(folder))).toBe(key);
  expect(readFileSync(ignoreFile, 'utf8')).toMatch(/^mine\nknowledge\.db\*\nproject-key\n/);
});

it('a project without git gets no file for git', async () => {
  const project = projects.make();
  await keys().open(project.path);
  expect(existsSync(project.at('.knowledge/.gitignore'))).toBe(false);
});

function keys(): ProjectKeyFile {
  const appDirs = appDirectories(undefined);
  return new ProjectKeyFile(new FileSystemProjectFiles(appDirs), appDirs);
}
