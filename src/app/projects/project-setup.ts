import { KnowledgeError } from '../../domain/errors.js';
import { SETTINGS_MAX_BYTES } from '../../domain/limits.js';
import { settingsPath } from '../../domain/project-layout.js';
import { isRecord } from '../../domain/records.js';
import { SETTINGS_KEY } from '../../domain/settings.js';
import type { AppDirectories, ProjectDirectories } from '../../ports/project-directories.js';
import type { FileReading, ProjectFiles } from '../../ports/project-files.js';
import type { ProjectRequest } from '../project.js';
import type { Projects } from './projects.js';

interface ProjectSetupOptions {
  readonly projects: Pick<Projects, 'open'>;
  readonly directories: ProjectDirectories;
  readonly files: ProjectFiles;
  readonly appDirs: AppDirectories;
}

export interface SetupReport {
  readonly settingsFile: string;
  /** Whether an empty place for settings was added. If the file already had one, it is unchanged. */
  readonly added: boolean;
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

  /**
   * Adds an empty place for settings to `<appdir>/settings.json`. Existing contents stay; idempotent.
   * @throws KnowledgeError `not_readable` if the file is not a JSON object or is just being changed, which is then left
   *   unchanged; `storage_full`
   */
  async writeSettings({ projectPath }: ProjectRequest): Promise<SetupReport> {
    const { directories, files, appDirs } = this.#options;
    const project = await directories.resolve(projectPath);
    const settingsFile = settingsPath(appDirs.of(project));
    const reading = await files.readText(project, settingsFile, SETTINGS_MAX_BYTES);
    const { current, expectedVersion } = parseSettingsFile(reading, settingsFile);
    if (Object.hasOwn(current, SETTINGS_KEY)) return { settingsFile, added: false };
    const isWritten = await files.replaceText(project, settingsFile, {
      text: `${JSON.stringify({ ...current, [SETTINGS_KEY]: {} }, null, 2)}\n`,
      expectedVersion,
    });
    if (!isWritten) throw unreadable(settingsFile, 'another program changed it', 'try again');
    return { settingsFile, added: true };
  }
}

interface SettingsFile {
  readonly current: Readonly<Record<string, unknown>>;
  readonly expectedVersion: string | undefined;
}

/** Returns the whole file as an object; empty if the file does not exist. */
function parseSettingsFile(reading: FileReading, file: string): SettingsFile {
  if (reading === undefined) return { current: {}, expectedVersion: undefined };
  if ('skipped' in reading) throw unreadable(file, reading.skipped);
  const value = parseSettings(reading.text, file);
  if (!isRecord(value)) throw unreadable(file, 'it is not a JSON object');
  if (Object.hasOwn(value, SETTINGS_KEY) && !isRecord(value[SETTINGS_KEY])) {
    throw unreadable(file, `its key ${SETTINGS_KEY} is not an object`);
  }
  return { current: value, expectedVersion: reading.version };
}

function parseSettings(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(file, 'it is not JSON');
  }
}

function unreadable(file: string, reason: string, remedy = 'repair or remove it') {
  return new KnowledgeError(
    'not_readable',
    `${file} was left as it is, because ${reason}; ${remedy}.`,
  );
}
