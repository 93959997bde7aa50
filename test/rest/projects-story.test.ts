import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOfService, textOf } from '../support/mcp-client.js';
import { API, error, errorOf, okBody, startClient } from '../support/running-service-calls.js';
import { testProjects } from '../support/test-projects.js';

const projects = testProjects();
const walrusIn = (colour: string) =>
  projects.make({
    'docs/own.md': `## ${colour}\nThe ${colour} walrus lives here.`,
    'docs/shared.md': '## Shared\nEvery walrus needs the same ice.',
  });
const [first, second, outside] = [walrusIn('red'), walrusIn('blue'), projects.make()];
const paths = [first.path, second.path];

const client = await startClient('hybrid', { KNOWLEDGE_ROOTS: [...paths, '/nowhere'].join(':') });
const mcp = await clientOfService(client.service.url);
afterAll(async () => {
  await mcp.close();
  await client.service.stop();
});

describe('a search in several projects', () => {
  beforeAll(async () => {
    for (const project of [first, second]) okBody(await client.rebuild(project));
  });

  const search = (fields: object) =>
    client.service.post(`${API}/x/search-projects`, {
      projectPaths: paths,
      query: 'walrus',
      ...fields,
    });

  test('finds chunks of each, and the same text once', async () => {
    const { results, totalTokens, skipped } = okBody(await search({}));
    const found = results.map((one: { projectPath: string; chunk: { sourceFile: string } }) => [
      one.projectPath,
      one.chunk.sourceFile,
    ]);
    expect(found).toHaveLength(3);
    expect(found).toContainEqual([first.path, 'docs/own.md']);
    expect(found).toContainEqual([second.path, 'docs/own.md']);
    expect(totalTokens).toBe(7 + 7 + 8);
    expect(skipped).toEqual([]);
  });

  test('reports a project that fails, and searches the others', async () => {
    const gone = '/nowhere/at-all';
    const { results, skipped } = okBody(
      await search({ projectPaths: [gone, outside.path, first.path] }),
    );
    expect(results).toHaveLength(2);
    expect(skipped).toMatchObject([
      { projectPath: gone, reason: expect.stringContaining('not an existing directory') },
      { projectPath: outside.path, reason: expect.stringContaining('outside') },
    ]);
  });

  test.each([
    ['no project', { projectPaths: [] }],
    ['too many', { projectPaths: Array.from({ length: 51 }, (_, i) => `/p${i}`) }],
    ['a relative path', { projectPaths: ['docs'] }],
    ['a path that is no text', { projectPaths: [7] }],
    ['no list', { projectPaths: '/p' }],
    ['a blank query', { query: ' ' }],
    ['a wrong option', { maxResults: 0 }],
  ])('refuses %s', async (_, fields) => {
    expect(errorOf(await search(fields))).toEqual(error(400, 'invalid_request'));
  });

  test('is offered by MCP', async () => {
    const found = await mcp.callTool({
      name: 'search',
      arguments: { project: paths[0], query: 'blue walrus', projects: paths },
    });
    expect(textOf(found)).toContain(`project: ${second.path}`);
    expect(textOf(found)).not.toContain('was not searched');
  });
});
