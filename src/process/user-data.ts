import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../app/config/read-config.js';

/**
 * The environment of the command: its models are in the data folder of the user, unless DATA_DIR names another.
 * A command works inside projects, any of which could hold a model of its own in `./data`.
 */
export function withUserData(env: Environment, platform = process.platform): Environment {
  return env['DATA_DIR'] ? env : { ...env, DATA_DIR: userDataFolder(env, platform) };
}

/** The data folder of the user for this program. */
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
