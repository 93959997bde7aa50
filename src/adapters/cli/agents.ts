import { join } from 'node:path';
import { reasonOf } from '../../domain/errors.js';
import { isRecord } from '../../domain/records.js';
import {
  jsonOf,
  leftAlone,
  type Settings,
  settingsIn,
  textOf,
  writeSettings,
} from './settings-file.js';
import { tomlWith, tomlWithout } from './toml-table.js';

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

/** The settings of an agent. */
export interface EntryFile {
  readonly path: string;
  /** The whole text with the entry. @throws Error where the file cannot be understood */
  with(): string;
  /** The whole text without the entry; undefined if it has none. @throws Error as `with` does */
  without(): string | undefined;
  /** Replaces the file, or makes it. */
  write(text: string): void;
}

export function entryFile(agent: Agent, connection: Connection): EntryFile {
  const { file, in: place, key } = AGENTS[agent];
  const path = join(place === 'home' ? connection.home : connection.project, file);
  const write = (text: string) =>
    writeSettings(path, text, place === 'project' ? connection.project : undefined);
  const [command, script] = connection.program;
  const args = [script, 'mcp', '--project', connection.project];
  if (file.endsWith('.toml')) {
    const table = `${key}.${NAME}`;
    return {
      path,
      with: () => understood(path, (text) => tomlWith(text, table, { command, args })),
      without: () => understood(path, (text) => tomlWithout(text, table)),
      write,
    };
  }
  const entry = { ...(agent === 'gemini' ? {} : { type: 'stdio' }), command, args };
  return {
    path,
    with: () => withEntry(settingsIn(path, key), key, entry),
    without: () => withoutEntry(settingsIn(path, key), key),
    write,
  };
}

/** The name of the server in the settings of agents. */
const NAME = 'knowledge-store';

function withEntry(settings: Settings, key: string, entry: Settings): string {
  return jsonOf({ ...settings, [key]: { ...serversIn(settings, key), [NAME]: entry } });
}

function withoutEntry(settings: Settings, key: string): string | undefined {
  const { [NAME]: entry, ...others } = serversIn(settings, key);
  return entry === undefined ? undefined : jsonOf({ ...settings, [key]: others });
}

function serversIn(settings: Settings, key: string): Settings {
  const servers = settings[key];
  return isRecord(servers) ? servers : {};
}

function understood<T>(path: string, edit: (text: string) => T): T {
  const text = textOf(path) ?? '';
  try {
    return edit(text);
  } catch (error) {
    throw leftAlone(path, reasonOf(error));
  }
}
