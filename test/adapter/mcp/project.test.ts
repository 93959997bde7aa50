import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProjectLookup } from '../../../src/adapters/mcp/server/project-of-call.js';
import { type FakeService, fakeService } from '../../fakes/fake-service.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import {
  type ClientOptions,
  connectedClient,
  ERAS,
  fakeMcpParts,
  textOf,
} from '../../support/mcp-client.js';
import { TempProject } from '../../support/temp-project.js';

let store: FakeService;
let client: Client;

beforeEach(() => {
  store = fakeService();
});
afterEach(() => client.close());

describe.each(ERAS)('the project of a call, in the era "%s",', (era) => {
  test('is the argument, whatever roots there are', async () => {
    await connect('/here', { era, roots: ['/a'] });
    expect(await projectOf({ project: '/argument' })).toBe('/argument');
  });

  test('is the first root of the client without an argument', async () => {
    await connect('/here', { era, roots: ['/a b', '/c'] });
    expect(await projectOf({})).toBe('/a b');
  });

  test('is the working directory for a client without roots', async () => {
    await connect('/here', { era });
    expect(await projectOf({})).toBe('/here');
  });

  test('is the working directory for a client whose list of roots is empty', async () => {
    await connect('/here', { era, roots: [] });
    expect(await projectOf({})).toBe('/here');
  });

  test('is the one of --project if a root lies inside it, and else the first root with a project', async () => {
    const named = { isNamed: true, projectKind: storeAt('/other') };
    await connect('/here', { era, roots: ['/', homedir(), '/here/packages/api', '/other'] }, named);
    expect(await projectOf({})).toBe('/here');
    await client.close();
    await connect('/here', { era, roots: ['/', homedir(), '/hereby', '/other'] }, named);
    expect(await projectOf({})).toBe('/other');
  });

  test('is the root with a store, even if the working directory has another one', async () => {
    const parts = { projectKind: storeAt('/other') };
    await connect('/here', { era, roots: ['/here', '/here/packages/api', '/other'] }, parts);
    expect(await projectOf({})).toBe('/other');
  });

  test.each(['/', homedir()])('is never %s', async (directory) => {
    await connect(directory, { era });
    const asked = async (project: object) => {
      const call = { name: 'search', arguments: { query: 'q', ...project } };
      const result = await client.callTool(call);
      return [result.isError, textOf(result)];
    };
    expect(await asked({})).toEqual([true, expect.stringMatching(/^project is required/)]);
    const refusal = expect.stringMatching(/^project must name the directory of a project/);
    expect(await asked({ project: directory })).toEqual([true, refusal]);
  });
});

test('the project of a call is the first root that is a directory of this machine', async () => {
  await connect('/here', { roots: ['/a'] });
  const roots = [{ uri: 'https://example.org/a' }, { uri: 'file:///b' }];
  client.setRequestHandler('roots/list', () => ({ roots }));
  expect(await projectOf({})).toBe('/b');
});

test.each([
  [['folder', 'repository', 'store'], '/2'],
  [['repository', 'store', 'store'], '/1'],
  [['folder', 'repository', 'folder'], '/1'],
  [['folder', 'folder'], '/here'],
] as const)(
  'the project of a call is the first root with a store, else a repository, else the working directory: %j',
  async (kinds, project) => {
    const projectKind = (path: string) => kinds[Number(path.slice(1))] ?? 'folder';
    const parts = { ...fakeMcpParts(store), projectKind };
    const own = { directory: '/here', version: '1.2.3', logger: new SilentLogger() };
    client = await connectedClient({ ...parts, ...own }, { roots: kinds.map((_, i) => `/${i}`) });
    expect(await projectOf({})).toBe(project);
  },
);

test('is the project of the server if the client cannot list its roots', async () => {
  await connect('/here', { era: 'legacy', roots: ['/a'] });
  client.setRequestHandler('roots/list', () => {
    throw new Error('Method not found');
  });
  expect(await projectOf({})).toBe('/here');
  const roots = [{ uri: 'vscode-remote://wsl%2Bubuntu/a' }];
  client.setRequestHandler('roots/list', () => ({ roots }));
  expect(await projectOf({})).toBe('/here');
});

test.each<[what: string, path: string, project: string]>([
  ['folder of a project', 'packages/api', ''],
  ['project', '.', ''],
  ['directory that is not there', 'gone', 'gone'],
  ['file', 'a.md', 'a.md'],
])('the project of a call that names a %s', async (_, path, project) => {
  const { path: root } = new TempProject({ 'packages/api/b.md': 'b', 'a.md': 'a' });
  const parts = { ...fakeMcpParts(store), nearestProject: () => root };
  client = await connectedClient({
    ...parts,
    directory: '/here',
    version: '1.2.3',
    logger: new SilentLogger(),
  });
  expect(await projectOf({ project: join(root, path) })).toBe(join(root, project));
});

// Helpers

async function connect(
  directory: string,
  options: ClientOptions,
  more: Partial<ProjectLookup> = {},
): Promise<void> {
  const own = { directory, version: '1.2.3', logger: new SilentLogger() };
  client = await connectedClient({ ...fakeMcpParts(store), ...own, ...more }, options);
}

function storeAt(project: string): ProjectLookup['projectKind'] {
  return (path) => (path === project ? 'store' : 'folder');
}

async function projectOf(args: Readonly<Record<string, unknown>>): Promise<unknown> {
  await client.callTool({ name: 'search', arguments: { query: 'q', ...args } });
  const [request] = store.calls.at(-1)?.args ?? [];
  return (request as { readonly projectPath: string } | undefined)?.projectPath;
}

test.each([
  ['/main', 'shares the store of its main checkout, /main'],
  ['/linked', undefined],
  [undefined, undefined],
])(
  'the instructions name the main checkout of a linked worktree: %s',
  async (project, sentence) => {
    const parts = { ...fakeMcpParts(store), nearestProject: () => project };
    const own = { directory: '/linked/src', version: '1.2.3', logger: new SilentLogger() };
    client = await connectedClient({ ...parts, ...own });
    const instructions = client.getInstructions() ?? '';
    expect(instructions).toContain('search');
    if (sentence === undefined) expect(instructions).not.toContain('checkout');
    else expect(instructions).toContain(sentence);
  },
);
