import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaName } from '../../src/adapters/postgres/database/project-schema.js';
import { executeAs } from '../support/execute-as.js';
import { hasServer, NEEDS_SERVER, SERVER_URL } from '../support/postgres-under-test.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import type { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';

/** Several services on one PostgreSQL server, from outside. */
describe.skipIf(!hasServer)(`services on one server ${NEEDS_SERVER}`, () => {
  const projects = testProjects();
  const services: Client[] = [];
  beforeAll(async () => {
    const store = `${SERVER_URL}?connection_limit=2`;
    const start = () => startClient('hybrid', { KNOWLEDGE_STORE: store });
    services.push(...(await Promise.all([start(), start()])));
  });
  afterAll(async () => {
    await Promise.all(services.map(({ service }) => service.stop()));
  });
  const pair = () => services as unknown as readonly [Client, Client];

  it('index one project at once, each chunk once', async () => {
    const project = projects.make({ 'a.md': '## A\n\nA tapir.\n\n## B\n\nAn okapi.\n' });
    const [first, second] = pair();
    const rebuilt = await Promise.all([first.rebuild(project), second.rebuild(project)]);
    for (const answer of rebuilt) expect(okBody(answer)).toMatchObject({ totalChunks: 2 });
    expect(await second.ids(project, 'tapir')).toEqual(['a.md#0']);
  });

  it('count every search, wherever it was asked', async () => {
    const project = projects.make({ 'a.md': 'A tapir.' });
    const [first, second] = pair();
    okBody(await first.rebuild(project));
    const asked = Array.from({ length: 10 }, (_, i) =>
      [first, second][i % 2]?.ids(project, 'tapir'),
    );
    expect(await Promise.all(asked)).toEqual(asked.map(() => ['a.md#0']));
    const [row] = await executeAs(
      SERVER_URL,
      `SELECT sum(retrieval_count) AS count FROM ${schemaOf(project)}.retrievals`,
    );
    expect(row).toEqual({ count: '10' });
  });
});

function schemaOf(project: TempProject): string {
  return schemaName(readFileSync(project.at('.knowledge/project-key'), 'utf8').trim());
}
