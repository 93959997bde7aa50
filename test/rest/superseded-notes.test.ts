import { afterAll, describe, expect, test } from 'vitest';
import { clientOfService, textOf } from '../support/mcp-client.js';
import { eventually } from '../support/running-service.js';
import { error, errorOf, okBody, startClient } from '../support/running-service-calls.js';
import type { TempProject } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';

const client = await startClient('hybrid');
const mcp = await clientOfService(client.service.url);
afterAll(async () => {
  await mcp.close();
  await client.service.stop();
});
const projects = testProjects();

const OLD = '.knowledge/notes/pool.md#0';
const NEW = '.knowledge/notes/pool-2.md#0';
const NEWEST = '.knowledge/notes/pool-3.md#0';

const FIRST = { id: 'pool', title: 'Connection pool', content: 'The pool holds ten walruses.' };
const SECOND = { ...FIRST, id: 'pool-2', supersedes: 'pool' };
const THIRD = {
  id: 'pool-3',
  title: 'Pool size',
  content: 'Twenty walruses fit by now.',
  supersedes: 'pool-2',
};

const save = (project: TempProject, note: object) => client.post('/x/notes', project, note);

/** A project with these notes, saved one after the other. */
async function projectWith(...notes: readonly object[]): Promise<TempProject> {
  const project = projects.make();
  for (const note of notes) expect(await save(project, note)).toMatchObject({ status: 201 });
  return project;
}

const call = async (project: TempProject, name: string, fields: object) =>
  textOf(await mcp.callTool({ name, arguments: { project: project.path, ...fields } }));

/** By REST and MCP. */
describe('a note that another one replaces', () => {
  test('is not found any more, even if the newer one says nearly the same', async () => {
    const project = await projectWith(FIRST);
    const saved = await save(project, SECOND);
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
    const project = await projectWith(FIRST, SECOND);
    expect(await client.chunk(project, OLD)).toMatchObject({
      chunk: { id: OLD },
      supersededBy: 'pool-2',
    });
    expect(await client.chunk(project, NEW)).not.toHaveProperty('supersededBy');
    expect(await call(project, 'get', { id: OLD })).toContain('supersededBy: pool-2');
  });

  test('may be replaced by MCP, in a chain that does not lead back', async () => {
    const project = await projectWith(FIRST, SECOND);
    await call(project, 'save_note', THIRD);
    const found = await call(project, 'search', { query: 'walruses' });
    expect(found).toContain(`id: ${NEWEST}`);
    expect(found).not.toContain(`id: ${NEW}\n`);
    expect(await client.ids(project, 'walruses')).toEqual([NEWEST]);
    const back = { title: 'Connection pool', content: 'The pool.', supersedes: 'pool-3' };
    expect(errorOf(await client.replaceNote(project, 'pool', back))).toEqual(
      error(400, 'invalid_request'),
    );
    const all = await call(project, 'search', { query: 'walruses', include_superseded: true });
    expect(all).toContain(`id: ${NEWEST}`);
    expect(all).toMatch(new RegExp(`id: (${OLD}|${NEW})\n`));
  });

  test('is found again by the next search once its successor is deleted', async () => {
    const project = await projectWith(FIRST, SECOND, THIRD);
    expect(okBody(await client.deleteNote(project, 'pool-3'))).toEqual({ deleted: 1 });
    expect(await client.ids(project, 'walruses')).toEqual([NEW]);
    const content = 'Connections are counted elsewhere.';
    okBody(await client.replaceNote(project, 'pool-2', { title: 'Counting', content }));
    expect(await client.ids(project, 'walruses')).toEqual([OLD]);
    expect(await client.chunk(project, OLD)).not.toHaveProperty('supersededBy');
  });

  test('may be replaced by hand, and is back when that file is gone', async () => {
    const project = await projectWith(FIRST);
    project.write('.knowledge/notes/By hand.md', '---\nsupersedes: pool\n---\nEleven seals.\n');
    const ids = () => client.ids(project, 'walruses');
    await eventually(async () => (await ids()).length === 0);
    project.delete('.knowledge/notes/By hand.md');
    await eventually(async () => (await ids())[0] === OLD);
  });

  test('loses nothing to a circle made by hand', async () => {
    const project = projects.make();
    project.write('.knowledge/notes/a.md', '---\nsupersedes: b\n---\nThe first otter.\n');
    project.write('.knowledge/notes/b.md', '---\nsupersedes: a\n---\nThe second otter.\n');
    project.write('.knowledge/notes/c.md', '---\nsupersedes: nobody\n---\nThe third otter.\n');
    const { skipped } = okBody(await client.post('/x/reindex', project));
    expect(skipped).toEqual([]);
    expect(await client.ids(project, 'otter')).toHaveLength(3);
    expect(okBody(await client.post('/x/doctor', project))).toMatchObject({ ok: true });
  });
});
