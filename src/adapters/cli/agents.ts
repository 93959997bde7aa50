import { join } from 'node:path';
import { isRecord } from '../../domain/records.js';
import { type Agent, agentFile } from './agent-table.js';
import { editJson } from './json-settings.js';
import { editLine } from './line-edit.js';
import type { Entries, SettingsFile } from './settings-file.js';
import { editToml } from './toml-settings.js';

export interface Connection {
  /** Absolute. */
  readonly project: string;
  readonly program: Program;
  /** Environment variables that the server also needs. */
  readonly env: Readonly<Record<string, string>>;
}

/** How another program starts this one. */
export interface Program {
  /** The name of the program if it is on the `PATH`, or else the absolute paths of Node and the script. */
  readonly command: readonly [string, ...string[]];
  /** Whether the command works on other machines too, so that a file with it can be shared. */
  readonly isPortable: boolean;
}

/** The file in which an agent lists its MCP servers, with the entry of this program. */
export function entryFile(agent: Agent, { project, program, env }: Connection): SettingsFile {
  const { file, format, key, folder, type } = agentFile(agent);
  const path = join(project, file);
  const [command, ...script] = program.command;
  const named = program.isPortable ? folder : project;
  const args = [...script, 'mcp', ...(named === undefined ? [] : ['--project', named])];
  const variables = Object.keys(env).length > 0 && { env };
  const entry = { ...(type && { type }), command, args, ...variables };
  return { path, part: 'entry', folderOf: project, ...EDITS[format](key, entry) };
}

/** Edits that add our entry below the key of the servers, or remove it, by file format. */
const EDITS = {
  json: (key: string, entry: Entries) => ({
    section: key,
    add: editJson(key, () => ({ [NAME]: entry })),
    remove: editJson(key, () => ({ [NAME]: undefined })),
  }),
  toml: (key: string, entry: Entries) => ({
    add: editToml(`${key}.${NAME}`, entry),
    remove: editToml(`${key}.${NAME}`, undefined),
  }),
};

/** Name of the command, and of the server in the settings of agents. */
export const NAME = 'knowledge-store';

/**
 * The file with the user's own hooks of an agent in a project, with our hooks for the start of a session, each prompt
 * and the end of a session. Undefined if the agent has no hooks.
 */
export function hooksFile(
  agent: Agent,
  { project, program, env }: Connection,
): SettingsFile | undefined {
  const { hooks: file } = agentFile(agent);
  if (file === undefined) return undefined;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quote(value)} `);
  const launchCommand = (name: string) =>
    variables.join('') + [...program.command, name, '--project', project].map(quote).join(' ');
  return {
    path: join(project, file),
    part: 'hooks',
    folderOf: project,
    section: 'hooks',
    add: editJson('hooks', (hooks) =>
      changedHooks(hooks, ({ name, timeout, ...when }) => [
        { ...when, hooks: [{ type: 'command', command: launchCommand(name), timeout }] },
      ]),
    ),
    remove: editJson('hooks', (hooks) => changedHooks(hooks, () => [])),
  };
}

/** `SessionStart` does not match `resume`, because a resumed session still has the lessons. Timeouts are in seconds. */
const HOOKS = {
  SessionStart: { name: 'session-start', matcher: 'startup|clear|compact', timeout: 30 },
  UserPromptSubmit: { name: 'session-prompt', timeout: 5 },
  SessionEnd: { name: 'session-end', timeout: 60 },
} as const;

type Hook = (typeof HOOKS)[keyof typeof HOOKS];

/** Returns the hook groups of each event: those of other programs stay, and ours replace earlier ones at any path. */
function changedHooks(hooks: Entries, oursOf: (hook: Hook) => readonly object[]): Entries {
  const events = Object.entries(HOOKS).map(([event, hook]) => {
    const groups = [...hookGroups(hooks, event).flatMap(withoutOurHooks), ...oursOf(hook)];
    return [event, groups.length === 0 ? undefined : groups];
  });
  return Object.fromEntries(events);
}

function withoutOurHooks(group: unknown): readonly unknown[] {
  if (!isRecord(group) || !Array.isArray(group['hooks'])) return [group];
  const left = group['hooks'].filter((hook) => !isOurs(hook));
  return left.length === 0 ? [] : [{ ...group, hooks: left }];
}

function isOurs(hook: unknown): boolean {
  return ourCommand(hook) !== undefined;
}

/** The command of a hook that this program wrote; undefined for any other. */
export function ourCommand(hook: unknown): string | undefined {
  const command = isRecord(hook) ? hook['command'] : undefined;
  const isOurs =
    typeof command === 'string' && /'session-(?:start|prompt|end)' '--project' '/.test(command);
  return isOurs ? command : undefined;
}

function hookGroups(hooks: Entries, event: string): readonly unknown[] {
  const groups = hooks[event] ?? [];
  if (Array.isArray(groups)) return groups;
  throw new Error(`its hooks for ${event} are not a list`);
}

/** The file with the agent's instructions for a project, to which one line about this program is added. */
export function instructionsFile(
  agent: Agent,
  { project }: Pick<Connection, 'project'>,
): SettingsFile {
  const path = join(project, agentFile(agent).instructions);
  return { path, part: 'instruction', folderOf: project, ...editLine(INSTRUCTION) };
}

export const INSTRUCTION =
  'Before a task, call lessons of knowledge-store; when you have learned something, call save_note.';

/** Quotes a word for a POSIX shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
