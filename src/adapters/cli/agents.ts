import { join } from 'node:path';
import { isRecord } from '../../domain/records.js';
import {
  editedJson,
  type Settings,
  type SettingsFile,
  tomlWith,
  tomlWithout,
} from './settings-file.js';

/** The coding agents that can be connected, and where each keeps its MCP servers. */
export const AGENTS = {
  claude: {
    file: '.mcp.json',
    in: 'project',
    key: 'mcpServers',
    next: 'Start Claude Code in the project; it asks once whether to use the server.',
  },
  cursor: {
    file: '.cursor/mcp.json',
    in: 'project',
    key: 'mcpServers',
    next: 'Cursor lists the server in its settings, under MCP, where it can be switched on.',
  },
  vscode: {
    file: '.vscode/mcp.json',
    in: 'project',
    key: 'servers',
    next: 'VS Code asks once whether to trust the server; "MCP: List Servers" starts it.',
  },
  codex: {
    file: '.codex/config.toml',
    in: 'home',
    key: 'mcp_servers',
    next: 'Codex has one list of servers for all projects: connect again in another project.',
  },
  gemini: {
    file: '.gemini/settings.json',
    in: 'project',
    key: 'mcpServers',
    next: 'Start Gemini CLI in the project; /mcp lists the server.',
  },
} as const;

export type Agent = keyof typeof AGENTS;

export interface Connection {
  /** Absolute. */
  readonly project: string;
  readonly home: string;
  /** Absolute paths of Node and of this program. */
  readonly program: readonly [string, string];
}

/** The file in which an agent keeps its servers. */
export function entryFile(agent: Agent, connection: Connection): SettingsFile {
  const { file, in: place, key } = AGENTS[agent];
  const path = join(connection[place], file);
  const [command, script] = connection.program;
  const args = [script, 'mcp', '--project', connection.project];
  if (agent === 'codex') {
    const table = `${key}.${NAME}`;
    const add = (text: string) => tomlWith(text, table, { command, args });
    return { path, add, remove: (text) => tomlWithout(text, table) };
  }
  const entry = { ...(agent === 'gemini' ? {} : { type: 'stdio' }), command, args };
  return {
    path,
    folderOf: connection.project,
    add: editedJson(key, (servers) => ({ ...servers, [NAME]: entry })),
    remove: editedJson(key, ({ [NAME]: ours, ...others }) => (ours ? others : undefined)),
  };
}

/** The name of the server in the settings of agents. */
const NAME = 'knowledge-store';

/** The settings of Claude Code in a project, with the commands that it runs when a session begins and ends. */
export function hooksFile({ project, program }: Connection): SettingsFile {
  const commandOf = (name: string) =>
    [...program, name, '--project', project].map(quoted).join(' ');
  return {
    path: join(project, '.claude', 'settings.json'),
    folderOf: project,
    add: editedJson('hooks', (hooks) => {
      const others = withoutOurs(hooks) ?? hooks;
      const ours = Object.entries(HOOKS).map(([event, { name, timeout, ...when }]) => {
        const hook = { type: 'command', command: commandOf(name), timeout };
        return [event, [...groupsOf(others, event), { ...when, hooks: [hook] }]];
      });
      return { ...others, ...Object.fromEntries(ours) };
    }),
    remove: editedJson('hooks', withoutOurs),
  };
}

/** A session that is resumed still knows what it was told. Seconds. */
const HOOKS = {
  SessionStart: { name: 'session-start', matcher: 'startup|clear|compact', timeout: 30 },
  SessionEnd: { name: 'session-end', timeout: 60 },
} as const;

/** Without what an earlier call wrote, whichever program it named; undefined if there is nothing. */
function withoutOurs(hooks: Settings): Settings | undefined {
  const kept = Object.keys(HOOKS).map((event) => {
    const groups = groupsOf(hooks, event);
    return [event, groups.flatMap(withoutOurHooks)] as const;
  });
  if (kept.every(([event, left]) => left.length === groupsOf(hooks, event).length))
    return undefined;
  const gone = kept.flatMap(([event, left]) => (left.length === 0 ? [event] : []));
  const all = Object.entries({ ...hooks, ...Object.fromEntries(kept) });
  return Object.fromEntries(all.filter(([event]) => !gone.includes(event)));
}

function withoutOurHooks(group: unknown): readonly unknown[] {
  if (!isRecord(group) || !Array.isArray(group['hooks'])) return [group];
  const left = group['hooks'].filter((hook) => !isOurs(hook));
  return left.length === 0 ? [] : [{ ...group, hooks: left }];
}

function isOurs(hook: unknown): boolean {
  const command = isRecord(hook) ? hook['command'] : undefined;
  return typeof command === 'string' && /'session-(?:start|end)' '--project' '/.test(command);
}

function groupsOf(hooks: Settings, event: string): readonly unknown[] {
  const groups = hooks[event] ?? [];
  if (Array.isArray(groups)) return groups;
  throw new Error(`its hooks for ${event} are not a list`);
}

/** A word that a shell takes as it is. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
