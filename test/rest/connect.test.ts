import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AGENTS, type Agent } from '../../src/adapters/cli/agent-table.js';
import { clientOfProcess, textOf } from '../support/mcp-client.js';
import { CHECKOUT, runCommand } from '../support/running-service.js';
import { testProjects } from '../support/test-projects.js';

const projects = testProjects();

/** One agent whose file is JSON, and one whose file is TOML; test/adapter/cli has the files of all. */
test.each<Agent>(['claude', 'codex'])(
  'what "connect %s" writes starts a server of this project from anywhere',
  async (agent) => {
    const home = projects.make();
    const project = projects.make({
      '.git/HEAD': '',
      'docs/locks.md': '## Locks\nWriters wait for the ibex.\n',
    });
    const env = { PATH: process.env['PATH'] ?? '', HOME: home.path, KNOWLEDGE_OFFLINE: '1' };
    await runCommand(['connect', agent], project.path, env);
    const entry = entryIn(readFileSync(project.at(AGENTS[agent].file), 'utf8'));
    const { client } = await clientOfProcess({ ...entry, cwd: home.path, env });
    await client.callTool({ name: 'ingest', arguments: {} });
    const found = await client.callTool({ name: 'search', arguments: { query: 'ibex' } });
    await client.close();
    expect(textOf(found)).toContain('id: docs/locks.md#0');
  },
);

test('the README and docs/mcp.md name every agent', () => {
  for (const document of ['README.md', 'docs/mcp.md']) {
    const text = readFileSync(`${CHECKOUT}/${document}`, 'utf8');
    const named = Object.keys(AGENTS).filter((agent) => new RegExp(`\\b${agent}\\b`).test(text));
    expect(named).toEqual(Object.keys(AGENTS));
  }
});

/** The values of `command` and `args`, which TOML writes as JSON does. */
function entryIn(text: string): { readonly command: string; readonly args: string[] } {
  const value = (key: string, pattern: string) =>
    JSON.parse(new RegExp(`"?${key}"?\\s*[:=]\\s*(${pattern})`, 's').exec(text)?.[1] ?? '');
  return { command: value('command', '"[^"]*"'), args: value('args', '\\[.*?\\]') };
}
