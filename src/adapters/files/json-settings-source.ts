import { settingsPath } from '../../domain/project-layout.js';
import { DEFAULT_SETTINGS, readSettings, type Settings } from '../../domain/settings.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { FileReading, ProjectFiles } from '../../ports/driven/project-files.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';

/** The key `knowledgeStore` of `<appdir>/settings.json`; problems are reported once for each text of the file. */
export class JsonSettingsSource implements SettingsSource {
  readonly #files: ProjectFiles;
  readonly #path: string;
  readonly #logger: Logger;
  readonly #reported = new Map<string, string>();

  constructor(files: ProjectFiles, appDir: string, logger: Logger) {
    this.#files = files;
    this.#path = settingsPath(appDir);
    this.#logger = logger;
  }

  async read(projectPath: string): Promise<Settings> {
    const reading = await this.#files.readText(projectPath, this.#path);
    if (reading === undefined) return DEFAULT_SETTINGS;
    const { settings, problems } = parse(reading);
    const version = 'hash' in reading ? reading.hash : reading.skipped;
    if (problems.length > 0 && this.#reported.get(projectPath) !== version) {
      this.#reported.set(projectPath, version);
      this.#logger.warn('settings.json is not as expected; defaults stand in.', {
        projectPath,
        problems,
      });
    }
    return settings;
  }
}

function parse(reading: NonNullable<FileReading>) {
  if ('skipped' in reading) {
    return { settings: DEFAULT_SETTINGS, problems: [`The file was not read: ${reading.skipped}.`] };
  }
  try {
    const value: unknown = JSON.parse(reading.text);
    return readSettings(knowledgeStoreOf(value));
  } catch {
    return { settings: DEFAULT_SETTINGS, problems: ['The file is not JSON.'] };
  }
}

/** Undefined where the file is an object without the key. */
function knowledgeStoreOf(value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject) return null;
  return Object.hasOwn(value, 'knowledgeStore')
    ? (value as { readonly knowledgeStore: unknown }).knowledgeStore
    : undefined;
}
