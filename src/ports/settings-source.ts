import type { Settings } from '../domain/settings.js';

/** Where a project's settings come from. */
export interface SettingsSource {
  /** Never fails: a setting that cannot be read is logged once and has its default. */
  read(projectPath: string): Promise<Settings>;
}
