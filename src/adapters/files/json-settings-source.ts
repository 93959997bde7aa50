import { SETTINGS_MAX_BYTES } from '../../domain/limits.js';
import { settingsPath } from '../../domain/project-layout.js';
import { isRecord } from '../../domain/records.js';
import { DEFAULT_SETTINGS, SETTINGS_KEY, type Settings } from '../../domain/settings.js';
import { takeHead } from '../../domain/text.js';
import type { Logger } from '../../ports/logger.js';
import type { AppDirectories } from '../../ports/project-directories.js';
import type { FileReading, ProjectFileReader, SettingsSource } from '../../ports/project-files.js';
import { type ReadSettings, readSettings } from '../../schemas/settings.js';

/**
 * Reads the key `knowledgeStore` of `<appdir>/settings.json`, a file of at most 64 kB. The file is read
 * again only when its version changes, and problems are logged once per version.
 */
export class JsonSettingsSource implements SettingsSource {
  readonly #files: ProjectFileReader;
  readonly #appDirs: AppDirectories;
  readonly #logger: Logger;
  /** Settings by project path. Projects without a settings file have no entry. */
  readonly #known = new Map<string, KnownSettings>();

  constructor(files: ProjectFileReader, appDirs: AppDirectories, logger: Logger) {
    this.#files = files;
    this.#appDirs = appDirs;
    this.#logger = logger;
  }

  async read(projectPath: string): Promise<Settings> {
    const path = settingsPath(this.#appDirs.of(projectPath));
    if (!(await this.#files.exists(projectPath, path))) return DEFAULT_SETTINGS;
    const known = this.#known.get(projectPath);
    if (known !== undefined && (await this.#files.isStill(projectPath, path, known.version))) {
      return known.settings;
    }
    const found = await this.#files.statOf(projectPath, path);
    const version = found === undefined || 'skipped' in found ? '' : found.version;
    const reading = await this.#files.readText(projectPath, path, SETTINGS_MAX_BYTES);
    if (reading === undefined) return DEFAULT_SETTINGS;
    const parsed = parse(reading);
    const problems = limitProblems(parsed.problems);
    if (this.#known.get(projectPath)?.version !== version && problems.length > 0) {
      this.#logger.warn('settings.json has invalid entries; defaults are used instead.', {
        projectPath,
        problems,
      });
    }
    const settings = problems.length === 0 ? parsed.settings : { ...parsed.settings, problems };
    if (this.#known.size >= KNOWN_PROJECTS) this.#known.clear();
    this.#known.set(projectPath, { version, settings });
    return settings;
  }
}

interface KnownSettings {
  /** The version of the file; empty if it may not be read. */
  readonly version: string;
  readonly settings: Settings;
}

const KNOWN_PROJECTS = 1000;

function parse(reading: NonNullable<FileReading>): ReadSettings {
  if ('skipped' in reading) {
    return { settings: DEFAULT_SETTINGS, problems: [`The file was not read: ${reading.skipped}.`] };
  }
  try {
    const value: unknown = JSON.parse(reading.text);
    const { settings, problems } = readSettings(knowledgeStoreBlock(value));
    return { settings, problems: [...misspeltKeys(value), ...problems] };
  } catch {
    return { settings: DEFAULT_SETTINGS, problems: ['The file is not JSON.'] };
  }
}

/** The value of our key; undefined if it is missing, and null if the file is not a JSON object. */
function knowledgeStoreBlock(value: unknown): unknown {
  if (!isRecord(value)) return null;
  return Object.hasOwn(value, SETTINGS_KEY) ? value[SETTINGS_KEY] : undefined;
}

/** The file may hold the settings of other programs, so only keys that nearly name ours are problems. */
function misspeltKeys(value: unknown): readonly string[] {
  if (!isRecord(value) || Object.hasOwn(value, SETTINGS_KEY)) return [];
  return Object.keys(value)
    .filter((key) => /^knowledge[-_ ]?(?:store)?$/i.test(key))
    .map((key) => `${key} is not read: the key is ${SETTINGS_KEY}.`);
}

function limitProblems(problems: readonly string[]): readonly string[] {
  const shown = problems.slice(0, SETTINGS_MAX_PROBLEMS).map(shortenProblem);
  const rest = problems.length - shown.length;
  return rest === 0 ? shown : [...shown, `There are ${rest} more.`];
}

function shortenProblem(problem: string): string {
  const isLong = problem.length > SETTINGS_PROBLEM_MAX_CHARACTERS;
  return isLong ? `${takeHead(problem, SETTINGS_PROBLEM_MAX_CHARACTERS - 1)}…` : problem;
}

const SETTINGS_MAX_PROBLEMS = 20;

const SETTINGS_PROBLEM_MAX_CHARACTERS = 300;
