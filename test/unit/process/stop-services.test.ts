import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { possibleFolders } from '../../../src/process/local/place.js';
import { stopServices } from '../../../src/process/local/stop.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

it('stopping all services removes nothing behind a link in place of their folder', async () => {
  const folder = projects.make({ 'precious.txt': 'kept' });
  const home = projects.make();
  const env = { DATA_DIR: home.at('data'), XDG_RUNTIME_DIR: home.at('run') };
  const [, ofSockets = ''] = possibleFolders(env);
  mkdirSync(dirname(ofSockets));
  symlinkSync(folder.path, ofSockets);
  expect(await stopServices(env)).toBe(0);
  expect(readdirSync(folder.path)).toContain('precious.txt');
});

it('stopping all services also removes folders in place of their files', async () => {
  const env = { DATA_DIR: projects.make().at('data') };
  const [folder = ''] = possibleFolders(env);
  for (const name of ['0.1.0-a.sock', '0.1.0-a.pid']) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  }
  expect(await stopServices(env)).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});
