import {
  type Citation,
  type CitationState,
  citationState,
} from '../../domain/citations/citation-state.js';
import { CITATION_STATES_KEPT, CITED_FILE_MAX_BYTES } from '../../domain/limits.js';
import type { ProjectFileReader } from '../../ports/driven/project-files.js';

interface KnownState {
  /** Of the file. */
  readonly version: string;
  readonly state: CitationState;
}

/** Judges citations by the files as they are now; a file is read again only when it has changed. */
export class CitedStates {
  readonly #files: Pick<ProjectFileReader, 'readText' | 'isStill'>;
  readonly #known = new Map<string, KnownState>();

  constructor(files: Pick<ProjectFileReader, 'readText' | 'isStill'>) {
    this.#files = files;
  }

  /** Undefined if there is a file that may not be read. A file with another name is not looked for. */
  async of(project: string, citation: Citation): Promise<CitationState | undefined> {
    const { path, fileHash, lines, linesHash } = citation;
    const key = [project, path, fileHash, lines?.from, lines?.to, linesHash].join('\n');
    const known = this.#known.get(key);
    if (known && (await this.#files.isStill(project, path, known.version))) return known.state;
    const reading = await this.#files.readText(project, path, CITED_FILE_MAX_BYTES);
    if (reading !== undefined && 'skipped' in reading) return undefined;
    const state = citationState(citation, reading);
    if (reading?.isSettled) this.#remember(key, { version: reading.version, state });
    return state;
  }

  #remember(key: string, state: KnownState): void {
    if (this.#known.size >= CITATION_STATES_KEPT) this.#known.clear();
    this.#known.set(key, state);
  }
}
