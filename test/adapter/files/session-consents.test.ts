import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { expect, it } from 'vitest';
import { JsonSessionConsents } from '../../../src/adapters/files/json-session-consents.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

it('Consents that are given at the same time are all kept', async () => {
  const folder = projects.make().path;
  const paths = Array.from({ length: 12 }, (_, n) => `/project/${n}`);
  const given = paths.flatMap((path) => [
    new JsonSessionConsents(folder).grant(path, 'claude'),
    new JsonSessionConsents(folder).grant(path, 'codex'),
  ]);
  await Promise.all(given);
  for (const path of paths) {
    const agents = await new JsonSessionConsents(folder).list(path);
    expect(agents.toSorted()).toEqual(['claude', 'codex']);
  }
  expect(readdirSync(folder)).toEqual(['sessions.json']);
});

it('A consent does not wait for a process that died', async () => {
  const folder = projects.make().path;
  const lock = `${folder}/sessions.json.lock`;
  mkdirSync(lock);
  utimesSync(lock, new Date(0), new Date(0));
  const consents = new JsonSessionConsents(folder);
  await consents.grant('/project', 'claude');
  expect(await consents.list('/project')).toEqual(['claude']);
});
