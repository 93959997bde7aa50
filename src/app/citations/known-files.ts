import {
  type Citation,
  type CitationState,
  citationState,
} from '../../domain/citations/citation-state.js';
import {
  CITED_FILE_MAX_BYTES,
  CITED_FILES_KEPT,
  RENAMED_CANDIDATES_MAX,
  RENAMED_KNOWN_FOR_MS,
} from '../../domain/limits.js';
import { nameOf } from '../../domain/paths.js';
import type { Clock } from '../../ports/driven/clock.js';
import type { FileNames } from '../../ports/driven/file-names.js';
import type { ProjectFileReader, TextFile } from '../../ports/driven/project-files.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';

export interface KnownFilesPorts {
  readonly files: Pick<ProjectFileReader, 'readText' | 'isStill'>;
  readonly fileNames: FileNames;
  readonly settings: SettingsSource;
  readonly clock: Clock;
}

/** What is remembered of one version of a file. */
interface KnownFile extends Pick<TextFile, 'version' | 'hash'> {
  /** Of citations of lines, by what was cited. */
  readonly states: Map<string, CitationState>;
}

/** A file as it is now; undefined if it is gone, skipped if it may not be read. */
type FileLook = KnownFile | { readonly skipped: string } | undefined;

/** The files that citations are compared with; each is read again only when it has changed. */
export class KnownFiles {
  readonly #ports: KnownFilesPorts;
  readonly #known = new Map<string, KnownFile>();
  readonly #searches = new Map<
    string,
    { readonly since: number; readonly found: Promise<string | undefined> }
  >();

  constructor(ports: KnownFilesPorts) {
    this.#ports = ports;
  }

  /** Judges citations of one project; looks at each file once. */
  look(project: string): (citation: Citation) => Promise<CitationState | undefined> {
    const looked = new Map<string, FileLook>();
    return async (citation) => {
      const { path } = citation;
      if (!looked.has(path)) looked.set(path, await this.#lookAt(project, path));
      const file = looked.get(path);
      if (file === undefined) return { state: 'gone' };
      if ('skipped' in file) return undefined;
      if (file.hash === citation.fileHash) return { state: 'current' };
      return this.#stateOf(project, citation, file);
    };
  }

  /**
   * The file that one that is gone has become: another one with the same hash. Those with the same extension are compared,
   * first those with the same name. May take long in a large project; never rejects. Remembered for a moment, while that
   * other file is the same.
   */
  async renamed(project: string, citation: Citation): Promise<string | undefined> {
    const key = [project, citation.path, citation.fileHash].join('\n');
    const now = this.#ports.clock.monotonic();
    const known = this.#searches.get(key);
    if (known !== undefined && now - known.since < RENAMED_KNOWN_FOR_MS) {
      const path = await known.found;
      if (path === undefined || (await this.#isAt(project, path, citation))) return path;
    }
    if (this.#searches.size >= CITED_FILES_KEPT) this.#searches.clear();
    const found = this.#find(project, citation).catch(() => undefined);
    this.#searches.set(key, { found, since: now });
    return found;
  }

  async #find(project: string, { path, fileHash }: Citation): Promise<string | undefined> {
    const { settings, fileNames } = this.#ports;
    const names = await fileNames.list(project, await settings.read(project));
    for (const candidate of candidatesFor(path, names)) {
      if (await this.#isAt(project, candidate, { fileHash })) return candidate;
    }
    return undefined;
  }

  async #isAt(project: string, path: string, { fileHash }: Pick<Citation, 'fileHash'>) {
    const file = await this.#lookAt(project, path);
    return file !== undefined && 'hash' in file && file.hash === fileHash;
  }

  async #lookAt(project: string, path: string): Promise<FileLook> {
    const { files } = this.#ports;
    const key = `${project}\n${path}`;
    const known = this.#known.get(key);
    if (known !== undefined && (await files.isStill(project, path, known.version))) return known;
    const reading = await files.readText(project, path, CITED_FILE_MAX_BYTES);
    if (reading === undefined || 'skipped' in reading) return reading;
    const { version, hash } = reading;
    const file: KnownFile = { version, hash, states: new Map() };
    if (this.#known.size >= CITED_FILES_KEPT) this.#known.clear();
    if (reading.isSettled) this.#known.set(key, file);
    return file;
  }

  /** Of a file that has changed: the cited lines may be the same, or elsewhere. */
  async #stateOf(
    project: string,
    citation: Citation,
    { states }: KnownFile,
  ): Promise<CitationState | undefined> {
    const { path, lines, linesHash } = citation;
    if (lines === undefined) return { state: 'changed' };
    const key = `${lines.from}-${lines.to} ${linesHash}`;
    const known = states.get(key);
    if (known !== undefined) return known;
    const reading = await this.#ports.files.readText(project, path, CITED_FILE_MAX_BYTES);
    if (reading !== undefined && 'skipped' in reading) return undefined;
    const state = citationState(citation, reading);
    states.set(key, state);
    return state;
  }
}

function candidatesFor(path: string, names: readonly string[]): readonly string[] {
  const name = nameOf(path);
  const alike = names.filter((other) => extensionOf(other) === extensionOf(path));
  const same = alike.filter((other) => nameOf(other) === name);
  const others = alike.filter((other) => nameOf(other) !== name);
  return [...same, ...others].slice(0, RENAMED_CANDIDATES_MAX);
}

function extensionOf(path: string): string {
  return nameOf(path).replace(/^.*\./s, '');
}
