import type { Settings } from '../../domain/settings.js';

/** Where a project's settings come from. */
export interface SettingsSource {
  /** Never fails: what cannot be read is reported once and defaulted. */
  read(projectPath: string): Promise<Settings>;
}
