import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { embeddings } from '../support/embedding-endpoint.js';
import { linkedWorktree } from '../support/linked-worktree.js';
import { clientOfProcess, textOf } from '../support/mcp-client.js';
import { type ModelEndpoint, startModelEndpoint } from '../support/model-endpoint.js';
import { CLI, commandEnvironment, eventually, runCommand } from '../support/running-service.js';
import { TempProject, tempDirectory } from '../support/temp-project.js';

const NOTES_OF_EACH = 4;

let project: TempProject;
let worktrees: readonly string[];
let endpoint: ModelEndpoint;
let environment: Readonly<Record<string, string>>;

beforeEach(async () => {
  project = new TempProject({
    '.gitignore': '.knowledge/\n',
    'docs/a.md': '## Locks\n\nWriters wait for the ibex.\n',
    'docs/b.md': '## Caches\n\nThe walrus keeps pages.\n',
  });
  const second = join(tempDirectory(), 'second');
  worktrees = [linkedWorktree(project.path), second];
  git(project.path, 'worktree', 'add', '-q', second);
  endpoint = await startModelEndpoint(embeddings);
  environment = {
    ...commandEnvironment(),
    HOME: tempDirectory('knowledge-home-'),
    DATA_DIR: tempDirectory('knowledge-data-'),
    KNOWLEDGE_SERVICE: 'on',
    KNOWLEDGE_SERVICE_IDLE_S: '60',
    EMBEDDING_BASE_URL: endpoint.baseUrl,
    EMBEDDING_MODEL: 'embedder-9',
  };
  await run(project.path, 'ingest', '--wait');
});
afterEach(async () => {
  await run(project.path, 'stop');
  await endpoint.close();
  project.remove();
  for (const name of ['HOME', 'DATA_DIR'])
    rmSync(environment[name] ?? '', { recursive: true, force: true });
});

test('three agents in two worktrees and the main checkout share one memory', async () => {
  const agents = await Promise.all([project.path, ...worktrees].map(agentIn));
  const titles = agents.map((_, agent) =>
    Array.from({ length: NOTES_OF_EACH }, (_, note) => `agent${agent}note${note}`),
  );
  await Promise.all(
    agents.map(async (agent, index) => {
      for (const title of titles[index] ?? []) await agent.save(title);
    }),
  );
  for (const agent of agents) {
    for (const title of titles.flat()) {
      expect(await agent.search(title)).toContain(`The text of ${title}.`);
    }
  }
  await eventually(async () => {
    const { embeddings } = JSON.parse((await run(project.path, 'status', '--json')).out);
    return embeddings.pending === 0;
  });
  expect(passages().toSorted()).toEqual([...new Set(passages())].toSorted());
  for (const worktree of worktrees) {
    expect(git(worktree, 'status', '--porcelain', '--ignored')).toBe('');
  }
  await Promise.all(agents.map(({ close }) => close()));
  const [first = ''] = worktrees;
  git(project.path, 'worktree', 'remove', '--force', first);
  const found = await run(project.path, 'search', 'agent1note0', '--no-model');
  expect(found.out).toContain('The text of agent1note0.');
});

test('an agent in a worktree learns that a file differs there, or is not there', async () => {
  const [worktree = ''] = worktrees;
  writeFileSync(join(worktree, 'docs/a.md'), '## Locks\n\nNobody waits.\n');
  rmSync(join(worktree, 'docs/b.md'));
  const [here, there] = await Promise.all([project.path, worktree].map(agentIn));
  expect(await there?.search('ibex')).toMatch(
    /^worktree: This is the text of the main checkout; the file differs in this worktree\.$/m,
  );
  expect(await there?.call('get', { source_file: 'docs/b.md' })).toMatch(
    /^worktree: .*this worktree has no such file\.$/m,
  );
  expect(await there?.call('similar', { text: 'Writers wait' })).toContain('differs in this');
  expect(await here?.search('ibex')).not.toContain('worktree');
  await Promise.all([here?.close(), there?.close()]);
});

test('a prompt in a worktree gets the text of the main checkout as such', async () => {
  const [worktree = ''] = worktrees;
  writeFileSync(join(worktree, 'docs/a.md'), '## Locks\n\nNobody waits.\n');
  const hook = (cwd: string, ...words: readonly string[]) => {
    const said = { prompt: 'Locks\nWriters wait for the ibex.', cwd };
    const command = [CLI, 'session-prompt', ...words];
    const options = { cwd, env: environment, input: JSON.stringify(said) } as const;
    return execFileSync(process.execPath, command, { ...options, encoding: 'utf8' });
  };
  /** A hook that is late says nothing. */
  const spoken = (cwd: string, ...words: readonly string[]) =>
    eventually(() => hook(cwd, ...words) || false);
  expect(await spoken(project.path)).not.toContain('worktree');
  for (const words of [[], ['--project', project.path]]) {
    expect(await spoken(worktree, ...words)).toMatch(
      /^file: docs\/a\.md:\d+\nworktree: This is the text of the main checkout; the file differs in this worktree\.$/m,
    );
  }
});

test('a forged link leads nowhere', async () => {
  const forged = tempDirectory('knowledge-forged-');
  const record = join(project.path, '.git/worktrees', basename(worktrees[0] ?? ''));
  expect(existsSync(record)).toBe(true);
  writeFileSync(join(forged, '.git'), `gitdir: ${record}\n`);
  const { out } = await run(forged, 'search', 'ibex', '--no-model');
  expect(out).not.toContain('Writers wait');
  const agent = await agentIn(forged);
  expect(await agent.save('stray')).toContain('stray');
  expect(existsSync(join(project.path, '.knowledge/notes/stray.md'))).toBe(false);
  await agent.close();
  expect(readFileSync(join(forged, '.knowledge/notes/stray.md'), 'utf8')).toContain('stray');
});

// Helpers

function run(directory: string, ...words: readonly string[]) {
  return runCommand(words, directory, environment);
}

async function agentIn(directory: string) {
  const server = { command: process.execPath, args: [CLI, 'mcp'], cwd: directory };
  const { client } = await clientOfProcess({ ...server, env: environment });
  const call = async (name: string, fields: Readonly<Record<string, unknown>>) =>
    textOf(await client.callTool({ name, arguments: fields }));
  return {
    call,
    search: (query: string) => call('search', { query, min_relevance: 0 }),
    save: (title: string) => call('save_note', { title, content: `The text of ${title}.` }),
    close: () => client.close(),
  };
}

/** The texts of which vectors were made for the store; a query is asked alone. */
function passages(): readonly string[] {
  const texts = endpoint.requests.flatMap(({ body }) => body['input'] as readonly string[]);
  return texts.filter((text) => text.includes('\n') || text.startsWith('The text of'));
}

function git(directory: string, ...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: directory }).toString().trim();
}
