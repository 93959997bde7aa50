import {
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ProjectHistoryFiles } from '../../../src/adapters/files/project-history-files.js';
import { tempDirectory } from '../../support/temp-project.js';

const folder = () => join(tempDirectory('known-'), 'projects');

test('the project opened last comes first, each once', () => {
  const at = folder();
  const [first, second] = [tempDirectory('a-'), tempDirectory('b-')];
  for (const path of [first, second, first]) new ProjectHistoryFiles(at).remember(path);
  for (const name of readdirSync(at)) utimesSync(join(at, name), 1, 1);
  new ProjectHistoryFiles(at).remember(second);
  expect(new ProjectHistoryFiles(at).list().map(({ path }) => path)).toEqual([second, first]);
  expect(statSync(at).mode & 0o777).toBe(0o700);
});

test('a project that is gone is forgotten', () => {
  const at = folder();
  const gone = tempDirectory('gone-');
  new ProjectHistoryFiles(at).remember(gone);
  rmSync(gone, { recursive: true });
  expect(new ProjectHistoryFiles(at).list()).toEqual([]);
  expect(readdirSync(at)).toEqual([]);
});

test('a project that another process is writing at this moment is kept', () => {
  const at = folder();
  const project = tempDirectory('written-');
  new ProjectHistoryFiles(at).remember(project);
  const file = join(at, readdirSync(at)[0] ?? '');
  truncateSync(file);
  expect(new ProjectHistoryFiles(at).list()).toEqual([]);
  expect(existsSync(file)).toBe(true);
});

test('a data directory that cannot be used is none', () => {
  const file = join(tempDirectory('file-'), 'file');
  writeFileSync(file, '');
  const known = new ProjectHistoryFiles(join(file, 'projects'));
  known.remember('/a');
  expect(known.list()).toEqual([]);
  expect(existsSync(file)).toBe(true);
});
