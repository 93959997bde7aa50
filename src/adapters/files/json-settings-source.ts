import {
  SETTINGS_MAX_BYTES,
  SETTINGS_MAX_PROBLEMS,
  SETTINGS_PROBLEM_MAX_CHARACTERS,
} from '../../domain/limits.js';
import { settingsPath } from '../../domain/project-layout.js';
import {
  DEFAULT_SETTINGS,
  type ReadSettings,
  readSettings,
  type Settings,
} from '../../domain/settings.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { FileReading, ProjectFileReader } from '../../ports/driven/project-files.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';

/**
 * The key `knowledgeStore` of `<appdir>/settings.json`, at most 64 kB. The file is read again only
 * when its version changes, and problems are reported once for each version.
 */
export class JsonSettingsSource implements SettingsSource {
  readonly #files: ProjectFileReader;
  readonly #path: string;
  readonly #logger: Logger;
  readonly #known = new Map<string, KnownSettings>();

  constructor(files: ProjectFileReader, appDir: string, logger: Logger) {
    this.#files = files;
    this.#path = settingsPath(appDir);
    this.#logger = logger;
  }

  async read(projectPath: string): Promise<Settings> {
    const version = await this.#files.versionOf(projectPath, this.#path);
    const known = this.#known.get(projectPath);
    if (known !== undefined && known.version === version) return known.settings;
    const reading = this.#files.readText(projectPath, this.#path, SETTINGS_MAX_BYTES);
    const settings = reading.then((file) => this.#settingsOf(projectPath, file));
    this.#remember(projectPath, { version, settings });
    return settings;
  }

  /** Requests that come while a version is read wait for the same reading. */
  #remember(projectPath: string, known: KnownSettings): void {
    this.#known.delete(projectPath);
    this.#known.set(projectPath, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KNOWN_PROJECTS && oldest !== undefined) this.#known.delete(oldest);
    known.settings.catch(() => this.#known.delete(projectPath));
  }

  #settingsOf(projectPath: string, reading: FileReading): Settings {
    if (reading === undefined) return DEFAULT_SETTINGS;
    const { settings, problems } = parse(reading);
    if (problems.length > 0) {
      this.#logger.warn('settings.json is not as expected; defaults stand in.', {
        projectPath,
        problems: bounded(problems),
      });
    }
    return settings;
  }
}

interface KnownSettings {
  readonly version: string | undefined;
  readonly settings: Promise<Settings>;
}

const KNOWN_PROJECTS = 1000;

function parse(reading: NonNullable<FileReading>): ReadSettings {
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

function bounded(problems: readonly string[]): readonly string[] {
  const shown = problems.slice(0, SETTINGS_MAX_PROBLEMS).map(shortened);
  const rest = problems.length - shown.length;
  return rest === 0 ? shown : [...shown, `There are ${rest} more.`];
}

function shortened(problem: string): string {
  const isLong = problem.length > SETTINGS_PROBLEM_MAX_CHARACTERS;
  return isLong ? `${problem.slice(0, SETTINGS_PROBLEM_MAX_CHARACTERS - 1)}…` : problem;
}
