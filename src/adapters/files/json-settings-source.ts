import { headOf } from '../../domain/chunks/text.js';
import { SETTINGS_MAX_BYTES } from '../../domain/limits.js';
import { settingsPath } from '../../domain/project-layout.js';
import { isRecord } from '../../domain/records.js';
import {
  DEFAULT_SETTINGS,
  type ReadSettings,
  readSettings,
  SETTINGS_KEY,
  type Settings,
} from '../../domain/settings.js';
import type { AppDirectories } from '../../ports/driven/app-directories.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { FileReading, ProjectFileReader } from '../../ports/driven/project-files.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';

/**
 * Reads the key `knowledgeStore` of `<appdir>/settings.json`, a file of at most 64 kB. The file is read
 * again only when its version changes, and problems are logged once per version.
 */
export class JsonSettingsSource implements SettingsSource {
  readonly #files: ProjectFileReader;
  readonly #appDirs: AppDirectories;
  readonly #logger: Logger;
  readonly #known = new Map<string, KnownSettings>();

  constructor(files: ProjectFileReader, appDirs: AppDirectories, logger: Logger) {
    this.#files = files;
    this.#appDirs = appDirs;
    this.#logger = logger;
  }

  async read(projectPath: string): Promise<Settings> {
    const path = settingsPath(this.#appDirs.of(projectPath));
    const version = await this.#versionOf(projectPath, path);
    const known = this.#known.get(projectPath);
    if (known !== undefined && known.version === version) return known.settings;
    const reading = this.#files.readText(projectPath, path, SETTINGS_MAX_BYTES);
    const settings = reading.then((file) => this.#settingsOf(projectPath, file));
    this.#remember(projectPath, { version, settings });
    return settings;
  }

  /** Most projects have no settings, which `exists` tells without a thread of its own. */
  async #versionOf(projectPath: string, path: string): Promise<string | undefined> {
    if (!(await this.#files.exists(projectPath, path))) return undefined;
    const found = await this.#files.statOf(projectPath, path);
    return found === undefined || 'skipped' in found ? undefined : found.version;
  }

  /** Keeps the pending read, so that concurrent requests for the same version share it. */
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
      this.#logger.warn('settings.json has invalid entries; their defaults apply.', {
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

/** Undefined if the file is an object without the key. */
function knowledgeStoreOf(value: unknown): unknown {
  if (!isRecord(value)) return null;
  return Object.hasOwn(value, SETTINGS_KEY) ? value[SETTINGS_KEY] : undefined;
}

function bounded(problems: readonly string[]): readonly string[] {
  const shown = problems.slice(0, SETTINGS_MAX_PROBLEMS).map(shortened);
  const rest = problems.length - shown.length;
  return rest === 0 ? shown : [...shown, `There are ${rest} more.`];
}

function shortened(problem: string): string {
  const isLong = problem.length > SETTINGS_PROBLEM_MAX_CHARACTERS;
  return isLong ? `${headOf(problem, SETTINGS_PROBLEM_MAX_CHARACTERS - 1)}…` : problem;
}

const SETTINGS_MAX_PROBLEMS = 20;

const SETTINGS_PROBLEM_MAX_CHARACTERS = 300;
