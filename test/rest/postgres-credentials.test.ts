import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CANARY_USER, CanaryServer, canariesIn } from '../support/postgres-canaries.js';
import { freePort } from '../support/postgres-server.js';
import { hasServerPrograms, NEEDS_PROGRAMS } from '../support/postgres-under-test.js';
import { eventually, runCommand, ServiceProcess } from '../support/running-service.js';
import { type Client, okBody, startClient } from '../support/running-service-calls.js';
import { testProjects } from '../support/test-projects.js';

const NOTES = '## Otters\nAn otter sleeps on its back.\n\n## Beavers\nA beaver builds dams.\n';
const DEBUG = { KNOWLEDGE_LOG_LEVEL: 'debug', KNOWLEDGE_OFFLINE: '1' };

/** User, password and host of a database URL, looked for in everything that a service says. */
describe.skipIf(!hasServerPrograms)(`the URL of a database ${NEEDS_PROGRAMS}`, () => {
  const projects = testProjects();
  let canaries: CanaryServer;
  beforeAll(async () => {
    canaries = await CanaryServer.create();
  });
  afterAll(async () => {
    await canaries.server.remove();
  });

  const UNUSABLE: Readonly<Record<string, () => string | Promise<string>>> = {
    'a port that refuses': async () => canaries.url({ port: String(await freePort()) }),
    'a wrong password': () => canaries.url({ password: 'heron/2' }),
    'a database without pgvector': () => canaries.url({ database: 'bare' }),
    'a certificate that cannot be read': () => `${canaries.url()}?sslrootcert=/heron/root.crt`,
    'a password with a stray percent sign': () => canaries.url().replace('%2F', '%zz'),
  };

  it.each(Object.keys(UNUSABLE))(
    'is in no output of a service and a command with %s',
    async (name) => {
      const environment = { ...DEBUG, KNOWLEDGE_STORE: (await UNUSABLE[name]?.()) ?? '' };
      const service = new ServiceProcess({ PORT: '0', ...environment });
      const { path } = projects.make({ 'notes.md': NOTES });
      const ingest = ['ingest', '--no-vectors'];
      const command = await runCommand(ingest, path, { HOME: path, ...environment });
      const { code } = await service.exited;
      const said = service.stdout() + service.stderr();
      expect({ code, canaries: canariesIn(said) }).toEqual({ code: 1, canaries: [] });
      expect(said).toMatch(/^knowledge-store: [^\n]*KNOWLEDGE_STORE[^\n]+\n$/m);
      expect(command.code).not.toBe(0);
      expect(canariesIn(command.out + command.err)).toEqual([]);
      expect(command.err).toMatch(/^knowledge-store: \S/m);
    },
  );

  const FAILURES: Readonly<Record<string, readonly [() => Promise<void>, () => Promise<void>]>> = {
    'the server is stopped': [
      () => canaries.server.stop('immediate'),
      () => canaries.server.start(),
    ],
    'the password was changed': [
      () => canaries.execute(`ALTER ROLE ${CANARY_USER} PASSWORD 'another'`).then(endSessions),
      () => canaries.execute(`ALTER ROLE ${CANARY_USER} PASSWORD 'heron/1'`),
    ],
    'the user may not log in': [
      () => canaries.execute(`ALTER ROLE ${CANARY_USER} NOLOGIN`).then(endSessions),
      () => canaries.execute(`ALTER ROLE ${CANARY_USER} LOGIN`),
    ],
    'the user may not read a table': [
      () => canaries.execute(onChunks(`OWNER TO postgres`)),
      () => canaries.execute(onChunks(`OWNER TO ${CANARY_USER}`)),
    ],
    'a column has gone': [
      () => canaries.execute(onChunks('RENAME COLUMN content TO away')),
      () => canaries.execute(onChunks('RENAME COLUMN away TO content')),
    ],
  };
  const endSessions = () => canaries.endSessions();

  it('is in no log and no answer of a service, even after failures', async () => {
    const project = projects.make({ 'notes.md': NOTES });
    const client = await startClient('hybrid', { ...DEBUG, KNOWLEDGE_STORE: canaries.url() });
    okBody(await client.rebuild(project));
    const statuses: Record<string, number> = {};
    for (const [name, [fail, mend]] of Object.entries(FAILURES)) {
      await fail();
      for (const answer of await everyAnswer(client, project.path))
        expect({ name, canaries: canariesIn(answer) }).toEqual({ name, canaries: [] });
      statuses[name] = (await client.search(project, 'otter')).status;
      await mend();
      await eventually(async () => okBody(await client.search(project, 'otter')));
    }
    expect(statuses).toEqual({
      'the server is stopped': 503,
      'the password was changed': 503,
      'the user may not log in': 503,
      'the user may not read a table': 503,
      'a column has gone': 500,
    });
    await client.service.stop();
    expect(client.service.stderr()).toMatch(/"level":20/);
    expect(canariesIn(client.service.process.stdout() + client.service.stderr())).toEqual([]);
  }, 180_000);
});

/** Changes the table of chunks of every project. */
function onChunks(change: string): string {
  return `DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT schema_name FROM knowledge_store.projects LOOP
      EXECUTE format('ALTER TABLE %I.chunks ${change}', name);
    END LOOP; END $$`;
}

/** The texts of the answers of all routes, but not where the store is, which is for display. */
async function everyAnswer({ service }: Client, projectPath: string): Promise<readonly string[]> {
  const { text: description, body } = await service.get('/openapi.json');
  const texts = [description];
  const fields = {
    projectPath,
    query: 'otter',
    id: 'notes.md#0',
    title: 'otter',
    name: 'a',
    text: 'otter',
  };
  for (const [path, operations] of Object.entries<object>(body.paths)) {
    const filled = path.replace('{id}', encodeURIComponent(fields.id));
    for (const method of Object.keys(operations)) {
      const hasBody = method === 'post' || method === 'put';
      const query = hasBody ? '' : `?projectPath=${encodeURIComponent(projectPath)}`;
      const answer = await service.request(filled + query, {
        method: method.toUpperCase(),
        ...(hasBody && {
          body: JSON.stringify(fields),
          headers: { 'content-type': 'application/json' },
        }),
      });
      texts.push(answer.text.replaceAll(/"dbPath":"[^"]*"/g, ''));
    }
  }
  for (const path of ['/health', '/ready', '/metrics', '/docs'])
    texts.push((await service.get(path)).text);
  return texts;
}
