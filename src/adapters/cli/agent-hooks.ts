import { join } from 'node:path';
import { isRecord } from '../../domain/records.js';
import type { Connection, EntryFile } from './agents.js';
import { jsonOf, leftAlone, type Settings, settingsIn, writeSettings } from './settings-file.js';

/** The settings of Claude Code in a project, with the commands that it runs when a session begins and ends. */
export function hooksFile(connection: Connection): EntryFile {
  const { project } = connection;
  const path = join(project, '.claude', 'settings.json');
  const settings = () => settingsIn(path, KEY);
  return {
    path,
    with: () => jsonOf(withHooks(withoutHooks(settings(), path), connection)),
    without: () => {
      const [before, after] = [settings(), withoutHooks(settings(), path)];
      return JSON.stringify(before) === JSON.stringify(after) ? undefined : jsonOf(after);
    },
    write: (text) => writeSettings(path, text, project),
  };
}

const KEY = 'hooks';

/** A session that is resumed still knows what it was told. Seconds. */
const EVENTS = {
  SessionStart: { command: 'session-start', matcher: 'startup|clear|compact', timeout: 30 },
  SessionEnd: { command: 'session-end', timeout: 60 },
} as const;

function withHooks(settings: Settings, { program, project }: Connection): Settings {
  const hooks = Object.entries(EVENTS).map(([event, { command, timeout, ...rest }]) => {
    const words = [...program, command, '--project', project];
    const hook = { type: 'command', command: words.map(quoted).join(' '), timeout };
    return [event, [...groupsOf(settings, event), { ...rest, hooks: [hook] }]];
  });
  return { ...settings, [KEY]: { ...hooksIn(settings), ...Object.fromEntries(hooks) } };
}

/** Without what an earlier call wrote, whichever program it named; what is empty then goes with it. */
function withoutHooks(settings: Settings, path: string): Settings {
  const { [KEY]: _, ...others } = settings;
  const kept = Object.entries(hooksIn(settings)).flatMap(([event, groups]) => {
    if (!Object.hasOwn(EVENTS, event)) return [[event, groups]];
    if (!Array.isArray(groups)) throw leftAlone(path, `its hooks for ${event} are not a list`);
    const left = groups.flatMap(withoutOurs);
    return left.length === 0 ? [] : [[event, left]];
  });
  return kept.length === 0 ? others : { ...others, [KEY]: Object.fromEntries(kept) };
}

function withoutOurs(group: unknown): readonly unknown[] {
  if (!isRecord(group) || !Array.isArray(group[KEY])) return [group];
  const left = group[KEY].filter((hook) => !isOurs(hook));
  if (left.length === group[KEY].length) return [group];
  return left.length === 0 ? [] : [{ ...group, [KEY]: left }];
}

function isOurs(hook: unknown): boolean {
  const command = isRecord(hook) ? hook['command'] : undefined;
  return typeof command === 'string' && /'session-(?:start|end)' '--project' '/.test(command);
}

function groupsOf(settings: Settings, event: string): readonly unknown[] {
  const groups = hooksIn(settings)[event];
  return Array.isArray(groups) ? groups : [];
}

function hooksIn(settings: Settings): Settings {
  const hooks = settings[KEY];
  return isRecord(hooks) ? hooks : {};
}

/** A word that a shell takes as it is. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
