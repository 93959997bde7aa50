import { KnowledgeError } from '../../domain/errors.js';
import { SETTINGS_MAX_BYTES } from '../../domain/limits.js';
import { settingsPath } from '../../domain/project-layout.js';
import { isRecord } from '../../domain/records.js';
import { RECOMMENDED_SETTINGS, SETTINGS_KEY } from '../../domain/settings.js';
import type { AppDirectories, ProjectDirectories } from '../../ports/project-directories.js';
import type { FileReading, ProjectFiles } from '../../ports/project-files.js';
import type { ProjectRequest } from './project.js';
import type { Projects } from './projects.js';

interface ProjectSetupOptions {
  readonly projects: Pick<Projects, 'open'>;
  readonly directories: ProjectDirectories;
  readonly files: ProjectFiles;
  readonly appDirs: AppDirectories;
}

export interface SetupReport {
  readonly settingsFile: string;
  /** Names of the settings that were added with the values that were measured to be best. */
  readonly added: readonly string[];
  /** Names of those that the file already had; their values stay. */
  readonly kept: readonly string[];
}

/** Prepares a directory for its first use. */
export class ProjectSetup {
  readonly #options: ProjectSetupOptions;

  constructor(options: ProjectSetupOptions) {
    this.#options = options;
  }

  /** Opens the project's store; creates it, or its missing parts. */
  async initialize({ projectPath }: ProjectRequest): Promise<void> {
    await this.#options.projects.open(projectPath);
  }

  /** As `writeSettings`, where there is no such file yet; undefined where there is. */
  async writeFirstSettings(request: ProjectRequest): Promise<SetupReport | undefined> {
    const { directories, files, appDirs } = this.#options;
    const project = await directories.resolve(request.projectPath);
    const reading = await files.readText(
      project,
      settingsPath(appDirs.of(project)),
      SETTINGS_MAX_BYTES,
    );
    return reading === undefined ? this.writeSettings(request) : undefined;
  }

  /**
   * Writes the recommended settings into `<appdir>/settings.json`. Everything that the file already says stays; idempotent.
   * @throws KnowledgeError `not_readable` if the file is not a JSON object, which is then left as it is; `storage_full`
   */
  async writeSettings({ projectPath }: ProjectRequest): Promise<SetupReport> {
    const { directories, files, appDirs } = this.#options;
    const project = await directories.resolve(projectPath);
    const settingsFile = settingsPath(appDirs.of(project));
    const reading = await files.readText(project, settingsFile, SETTINGS_MAX_BYTES);
    const { current, expectedVersion } = settingsOf(reading, settingsFile);
    const own = isRecord(current[SETTINGS_KEY]) ? current[SETTINGS_KEY] : {};
    const names = Object.keys(RECOMMENDED_SETTINGS);
    const added = names.filter((name) => !Object.hasOwn(own, name));
    if (added.length > 0) {
      const merged = { ...current, [SETTINGS_KEY]: { ...RECOMMENDED_SETTINGS, ...own } };
      const isWritten = await files.replaceText(project, settingsFile, {
        text: `${JSON.stringify(merged, null, 2)}\n`,
        expectedVersion,
      });
      if (!isWritten) throw unreadable(settingsFile, 'it was changed at the same time');
    }
    return { settingsFile, added, kept: names.filter((name) => !added.includes(name)) };
  }
}

interface SettingsFile {
  readonly current: Readonly<Record<string, unknown>>;
  readonly expectedVersion: string | undefined;
}

/** The whole file as an object; empty if it does not exist. */
function settingsOf(reading: FileReading, file: string): SettingsFile {
  if (reading === undefined) return { current: {}, expectedVersion: undefined };
  if ('skipped' in reading) throw unreadable(file, reading.skipped);
  const value = parsed(reading.text, file);
  if (!isRecord(value)) throw unreadable(file, 'it is not a JSON object');
  if (Object.hasOwn(value, SETTINGS_KEY) && !isRecord(value[SETTINGS_KEY])) {
    throw unreadable(file, `its key ${SETTINGS_KEY} is not an object`);
  }
  return { current: value, expectedVersion: reading.version };
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(file, 'it is not JSON');
  }
}

function unreadable(file: string, reason: string): KnowledgeError {
  return new KnowledgeError(
    'not_readable',
    `${file} was left as it is, because ${reason}; repair or remove it.`,
  );
}
