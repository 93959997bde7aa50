import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Environment } from '../app/config/read-config.js';

/**
 * Returns the command's environment, with the models in the user's data folder unless DATA_DIR is set. It never uses
 * `./data`, because a command runs inside projects, which could bring a model of their own.
 */
export function withUserData(env: Environment, platform = process.platform): Environment {
  return env['DATA_DIR'] ? env : { ...env, DATA_DIR: userDataFolder(env, platform) };
}

/** The user's data folder for this program. */
export function userDataFolder(env: Environment, platform = process.platform): string {
  return join(dataHome(env, platform), 'knowledge-store');
}

function dataHome(env: Environment, platform: NodeJS.Platform): string {
  const home = homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env['LOCALAPPDATA'] || join(home, 'AppData', 'Local');
  const named = env['XDG_DATA_HOME'] ?? '';
  return isAbsolute(named) ? named : join(home, '.local', 'share');
}

/** Replaces a leading `~` with the home directory in variables that name folders. */
export function withHomePaths(env: Environment): Environment {
  const changed = FOLDERS.flatMap((name) => {
    const value = env[name];
    if (value === undefined || !value.includes('~')) return [];
    return [[name, value.split(delimiter).map(expandHome).join(delimiter)] as const];
  });
  return { ...env, ...Object.fromEntries(changed) };
}

const FOLDERS = ['DATA_DIR', 'KNOWLEDGE_ROOTS', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME'] as const;

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}
