import {
  type Citation,
  type CitationState,
  citationState,
} from '../../domain/citations/citation-state.js';
import { CITATION_STATES_KEPT, CITED_FILE_MAX_BYTES } from '../../domain/limits.js';
import type { ProjectFileReader } from '../../ports/driven/project-files.js';

/** What is known of one version of a file. */
interface KnownFile {
  readonly version: string;
  /** By what was cited of it. */
  readonly states: Map<string, CitationState>;
}

/** Judges citations of one project by its files as they are now; each is looked at once. */
export interface Look {
  /** Undefined if there is a file that may not be read. A file with another name is not looked for. */
  stateOf(citation: Citation): Promise<CitationState | undefined>;
}

/** Remembers the states of citations, so that a file is read again only when it has changed. */
export class CitedStates {
  readonly #files: Pick<ProjectFileReader, 'readText' | 'isStill'>;
  readonly #known = new Map<string, KnownFile>();

  constructor(files: Pick<ProjectFileReader, 'readText' | 'isStill'>) {
    this.#files = files;
  }

  look(project: string): Look {
    const looked = new Map<string, KnownFile | undefined>();
    return {
      stateOf: async (citation) => {
        const { path } = citation;
        if (!looked.has(path)) looked.set(path, await this.#unchanged(project, path));
        const state = looked.get(path)?.states.get(keyOf(citation));
        return state ?? this.#judge(project, citation);
      },
    };
  }

  async #unchanged(project: string, path: string): Promise<KnownFile | undefined> {
    const known = this.#known.get(`${project}\n${path}`);
    if (known === undefined) return undefined;
    return (await this.#files.isStill(project, path, known.version)) ? known : undefined;
  }

  async #judge(project: string, citation: Citation): Promise<CitationState | undefined> {
    const { path } = citation;
    const reading = await this.#files.readText(project, path, CITED_FILE_MAX_BYTES);
    if (reading !== undefined && 'skipped' in reading) return undefined;
    const state = citationState(citation, reading);
    if (reading?.isSettled)
      this.#statesOf(`${project}\n${path}`, reading).set(keyOf(citation), state);
    return state;
  }

  #statesOf(key: string, { version }: Pick<KnownFile, 'version'>): KnownFile['states'] {
    const known = this.#known.get(key);
    if (known?.version === version) return known.states;
    if (this.#known.size >= CITATION_STATES_KEPT) this.#known.clear();
    const states = new Map<string, CitationState>();
    this.#known.set(key, { version, states });
    return states;
  }
}

function keyOf({ fileHash, lines, linesHash }: Citation): string {
  return lines === undefined ? fileHash : `${fileHash} ${lines.from}-${lines.to} ${linesHash}`;
}
