import {
  type Client as McpClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mcpClient, textOf } from '../support/mcp-client.js';
import {
  API,
  type Client,
  error,
  errorOf,
  okBody,
  startClient,
} from '../support/running-service-calls.js';
import { testProjects } from '../support/test-projects.js';

const projects = testProjects();

describe('a search in several projects', () => {
  const [first, second] = ['red', 'blue'].map((colour) =>
    projects.make({
      'docs/own.md': `## ${colour}\nThe ${colour} walrus lives here.`,
      'docs/shared.md': '## Shared\nEvery walrus needs the same ice.',
    }),
  );
  const paths = [first?.path, second?.path];
  const outside = projects.make();
  let client: Client;
  let mcp: McpClient;

  beforeAll(async () => {
    const roots = paths.concat('/nowhere').join(':');
    client = await startClient('hybrid', { KNOWLEDGE_ROOTS: roots });
    mcp = mcpClient();
    await mcp.connect(new StreamableHTTPClientTransport(new URL('/mcp', client.service.url)));
    for (const project of [first, second]) if (project) okBody(await client.rebuild(project));
  });
  afterAll(async () => {
    await mcp.close();
    await client.service.stop();
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
    expect(found).toContainEqual([first?.path, 'docs/own.md']);
    expect(found).toContainEqual([second?.path, 'docs/own.md']);
    expect(totalTokens).toBe(7 + 7 + 8);
    expect(skipped).toEqual([]);
  });

  test('has one budget, and counts only what it returns', async () => {
    const retrievals = async () => {
      const { sources } = okBody(
        await client.service.get(
          `${API}/x/sources?${new URLSearchParams({ projectPath: `${first?.path}` })}`,
        ),
      );
      return sources.map((source: { retrievals: number }) => source.retrievals);
    };
    const before = await retrievals();
    const { results } = okBody(await search({ maxTokens: 9, query: 'red walrus' }));
    expect(results).toMatchObject([
      { projectPath: first?.path, chunk: { sourceFile: 'docs/own.md' } },
    ]);
    expect(await retrievals()).toEqual([before[0] + 1, before[1]]);
  });

  test('tells of a project that fails, and searches the others', async () => {
    const gone = '/nowhere/at-all';
    const { results, skipped } = okBody(
      await search({ projectPaths: [gone, outside.path, first?.path] }),
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
    expect(textOf(found)).toContain(`project: ${second?.path}`);
    expect(found.structuredContent).toMatchObject({ skipped: [] });
  });
});
