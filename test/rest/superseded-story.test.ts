import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOfService, textOf } from '../support/mcp-client.js';
import { eventually } from '../support/running-service.js';
import { error, errorOf, okBody, startClient } from '../support/running-service-calls.js';
import { testProjects } from '../support/test-projects.js';

const client = await startClient('hybrid');
const mcp = await clientOfService(client.service.url);
afterAll(async () => {
  await mcp.close();
  await client.service.stop();
});
const project = testProjects().make();

const OLD = '.knowledge/notes/pool.md#0';
const NEW = '.knowledge/notes/pool-2.md#0';
const NEWEST = '.knowledge/notes/pool-3.md#0';

/** One story by REST and MCP: each test goes on where the one before ended. */
describe('a note that another one replaces', () => {
  const save = (note: object) => client.post('/x/notes', project, note);
  beforeAll(() =>
    save({ id: 'pool', title: 'Connection pool', content: 'The pool holds ten walruses.' }),
  );
  const replace = (id: string, fields: object) => client.replaceNote(project, id, fields);
  const call = async (name: string, fields: object) => {
    const args = { project: project.path, ...fields };
    return mcp.callTool({ name, arguments: args });
  };

  test('is not found any more, even if the newer one says nearly the same', async () => {
    const note = { id: 'pool-2', title: 'Connection pool', supersedes: 'pool' };
    const saved = await save({ ...note, content: 'The pool holds ten walruses.' });
    expect(saved).toMatchObject({ status: 201, body: { id: 'pool-2', chunks: 1 } });
    expect(await client.ids(project, 'walruses')).toEqual([NEW]);
    const all = await client.ids(project, 'walruses', { includeSuperseded: true });
    expect(all.toSorted()).toEqual([NEW, OLD]);
    const once = { query: 'walruses', includeSuperseded: true };
    expect(okBody(await client.post('/x/search', project, once)).results).toHaveLength(1);
    const similar = okBody(await client.post('/x/similar', project, { text: 'ten walruses' }));
    expect(similar.results.map((result: { chunk: { id: string } }) => result.chunk.id)).toEqual([
      NEW,
    ]);
  });

  test('is shown with its successor', async () => {
    expect(await client.chunk(project, OLD)).toMatchObject({
      chunk: { id: OLD },
      supersededBy: 'pool-2',
    });
    expect(await client.chunk(project, NEW)).not.toHaveProperty('supersededBy');
    const got = await call('get', { id: OLD });
    expect(textOf(got)).toContain('supersededBy: pool-2');
  });

  test('may be replaced by MCP, in a chain that does not lead back', async () => {
    const note = { id: 'pool-3', title: 'Pool size', content: 'Twenty walruses fit by now.' };
    await call('save_note', { ...note, supersedes: 'pool-2' });
    const found = await call('search', { query: 'walruses' });
    expect(textOf(found)).toContain(`id: ${NEWEST}`);
    expect(textOf(found)).not.toContain(`id: ${NEW}\n`);
    expect(await client.ids(project, 'walruses')).toEqual([NEWEST]);
    const back = { title: 'Connection pool', content: 'The pool.', supersedes: 'pool-3' };
    expect(errorOf(await replace('pool', back))).toEqual(error(400, 'invalid_request'));
    const all = await call('search', { query: 'walruses', include_superseded: true });
    expect(textOf(all)).toContain(`id: ${NEWEST}`);
    expect(textOf(all)).toMatch(new RegExp(`id: (${OLD}|${NEW})\n`));
  });

  test('is found again by the next search once its successor is deleted', async () => {
    expect(okBody(await client.deleteNote(project, 'pool-3'))).toEqual({ deleted: 1 });
    expect(await client.ids(project, 'walruses')).toEqual([NEW]);
    const content = 'Connections are counted elsewhere.';
    okBody(await replace('pool-2', { title: 'Counting', content }));
    expect(await client.ids(project, 'walruses')).toEqual([OLD]);
    expect(await client.chunk(project, OLD)).not.toHaveProperty('supersededBy');
  });

  test('may be replaced by hand, and is back when that file is gone', async () => {
    project.write('.knowledge/notes/By hand.md', '---\nsupersedes: pool\n---\nEleven seals.\n');
    const ids = () => client.ids(project, 'walruses');
    await eventually(async () => (await ids()).length === 0);
    project.delete('.knowledge/notes/By hand.md');
    await eventually(async () => (await ids())[0] === OLD);
  });

  test('loses nothing to a circle made by hand', async () => {
    project.write('.knowledge/notes/a.md', '---\nsupersedes: b\n---\nThe first otter.\n');
    project.write('.knowledge/notes/b.md', '---\nsupersedes: a\n---\nThe second otter.\n');
    project.write('.knowledge/notes/c.md', '---\nsupersedes: nobody\n---\nThe third otter.\n');
    const { skipped } = okBody(await client.post('/x/reindex', project));
    expect(skipped).toEqual([]);
    expect(await client.ids(project, 'otter')).toHaveLength(3);
    expect(okBody(await client.post('/x/doctor', project))).toMatchObject({ ok: true });
  });
});
