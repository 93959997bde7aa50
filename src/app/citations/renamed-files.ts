import type { Citation } from '../../domain/citations/citation-state.js';
import {
  CITATION_STATES_KEPT,
  CITED_FILE_MAX_BYTES,
  RENAMED_CANDIDATES_MAX,
  RENAMED_KNOWN_FOR_MS,
} from '../../domain/limits.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { FileNames } from '../../ports/driven/file-names.js';
import type { ProjectFileReader } from '../../ports/driven/project-files.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';

export interface RenamedFilesPorts {
  readonly files: Pick<ProjectFileReader, 'readText' | 'isStill'>;
  readonly fileNames: FileNames;
  readonly settings: SettingsSource;
  readonly clock: Clock;
}

interface Search {
  readonly found: Promise<string | undefined>;
  readonly since: number;
}

/**
 * Finds the file that one that is gone has become: another one with the same hash. Those with the same extension are compared,
 * first those with the same name.
 */
export class RenamedFiles {
  readonly #ports: RenamedFilesPorts;
  readonly #searches = new Map<string, Search>();
  readonly #hashes = new Map<string, { readonly version: string; readonly hash: string }>();

  constructor(ports: RenamedFilesPorts) {
    this.#ports = ports;
  }

  /** May take long in a large project; never rejects. The outcome is remembered for a moment. */
  find(project: string, citation: Citation): Promise<string | undefined> {
    const key = [project, citation.path, citation.fileHash].join('\n');
    const now = this.#ports.clock.monotonic();
    const known = this.#searches.get(key);
    if (known !== undefined && now - known.since < RENAMED_KNOWN_FOR_MS) return known.found;
    if (this.#searches.size >= CITATION_STATES_KEPT) this.#searches.clear();
    const found = this.#search(project, citation).catch(() => undefined);
    this.#searches.set(key, { found, since: now });
    return found;
  }

  async #search(project: string, { path, fileHash }: Citation): Promise<string | undefined> {
    const { settings, fileNames } = this.#ports;
    const names = await fileNames.list(project, await settings.read(project));
    for (const candidate of candidatesFor(path, names)) {
      if ((await this.#hashOf(project, candidate)) === fileHash) return candidate;
    }
    return undefined;
  }

  async #hashOf(project: string, path: string): Promise<string | undefined> {
    const { files } = this.#ports;
    const key = `${project}\n${path}`;
    const known = this.#hashes.get(key);
    if (known && (await files.isStill(project, path, known.version))) return known.hash;
    const reading = await files.readText(project, path, CITED_FILE_MAX_BYTES);
    if (reading === undefined || 'skipped' in reading) return undefined;
    if (this.#hashes.size >= CITATION_STATES_KEPT) this.#hashes.clear();
    if (reading.isSettled) this.#hashes.set(key, reading);
    return reading.hash;
  }
}

function candidatesFor(path: string, names: readonly string[]): readonly string[] {
  const name = nameOf(path);
  const alike = names.filter((other) => extensionOf(other) === extensionOf(path));
  const same = alike.filter((other) => nameOf(other) === name);
  const others = alike.filter((other) => nameOf(other) !== name);
  return [...same, ...others].slice(0, RENAMED_CANDIDATES_MAX);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function extensionOf(path: string): string {
  return nameOf(path).replace(/^.*\./s, '');
}
