import { type PlacedPiece, promptSection } from '../../domain/lessons/prompt-section.js';
import { PROMPT_MIN_RELEVANCE, PROMPT_PIECES_MAX } from '../../domain/limits.js';
import type { SearchResult } from '../../domain/ranking/search.js';
import type { WorktreeText } from '../../ports/project-directories.js';
import type { ShownPieces } from '../../ports/session-records.js';
import { textHash } from '../../shared/text-hash.js';
import type { Search } from '../search/search.js';

interface PromptKnowledgeDeps {
  readonly search: Pick<Search, 'byText'>;
  readonly sources: ChunkPlaces;
  readonly shownPieces: ShownPieces;
}

/** Finds the lines on which chunks begin; undefined if unknown. */
interface ChunkPlaces {
  findLines(request: {
    readonly projectPath: string;
    readonly ids: readonly string[];
  }): Promise<readonly (number | undefined)[]>;
}

/** A person's prompt to an agent. */
export interface AgentPrompt {
  readonly projectPath: string;
  readonly text: string;
  /** The agent's session id. If it is unknown, the pieces shown are not remembered. */
  readonly session?: string | undefined;
  /** The agent's directory, which may be a linked worktree of the project. */
  readonly directory?: string | undefined;
}

interface PromptSearch extends Omit<AgentPrompt, 'directory'> {
  /** Set if the agent's directory is in a linked worktree of the project. */
  readonly worktreeText?: WorktreeText | undefined;
}

/** Finds knowledge that clearly fits a prompt, to be shown unasked. */
export class PromptKnowledge {
  readonly #deps: PromptKnowledgeDeps;

  constructor(deps: PromptKnowledgeDeps) {
    this.#deps = deps;
  }

  /**
   * The most relevant pieces that the session has not seen yet, as a section for the prompt; empty if nothing is
   * relevant enough, or there are no vectors yet. Does not count as a retrieval.
   * @param signal aborted when the caller stops waiting; the answer then does not count as seen
   */
  async find(prompt: PromptSearch, signal?: AbortSignal): Promise<string> {
    const { projectPath, text, session } = prompt;
    const { results } = await this.#deps.search.byText({
      projectPath,
      query: text,
      profile: 'reading',
      retrievals: 'uncounted',
      minRelevance: PROMPT_MIN_RELEVANCE,
    });
    const seen = new Set(session === undefined ? [] : await this.#deps.shownPieces.list(session));
    const pieces = await Promise.all(results.filter(isFor(session)).map(withKey));
    const fresh = distinct(pieces.filter(({ key }) => !seen.has(key))).slice(0, PROMPT_PIECES_MAX);
    const section = promptSection(await this.#placed(prompt, fresh));
    if (session !== undefined && fresh.length > 0 && signal?.aborted !== true) {
      await this.#deps.shownPieces.add(
        session,
        fresh.map(({ key }) => key),
      );
    }
    return section;
  }

  async #placed(
    { projectPath, worktreeText }: PromptSearch,
    pieces: readonly SearchResult[],
  ): Promise<readonly PlacedPiece[]> {
    const ids = pieces.map(({ chunk }) => chunk.id);
    const lines = ids.length === 0 ? [] : await this.#deps.sources.findLines({ projectPath, ids });
    return pieces.map(({ chunk, citations = [] }, i) => ({
      place: lines[i] === undefined ? chunk.sourceFile : `${chunk.sourceFile}:${lines[i]}`,
      content: chunk.content,
      citations,
      difference: worktreeText?.(chunk.sourceFile),
    }));
  }
}

/** Drops results of unknown relevance, and the session's own exchanges, which are already in its context. */
function isFor(session: string | undefined) {
  return ({ chunk, relevance = 0 }: SearchResult) => {
    const isItsOwn =
      session !== undefined &&
      chunk.sourceFile.includes('/sessions/') &&
      chunk.sourceFile.includes(`-${session}`);
    return relevance >= PROMPT_MIN_RELEVANCE && !isItsOwn;
  };
}

interface KeyedResult extends SearchResult {
  readonly key: string;
}

async function withKey(result: SearchResult): Promise<KeyedResult> {
  return { ...result, key: (await textHash(result.chunk.content)).slice(0, KEY_CHARACTERS) };
}

const KEY_CHARACTERS = 16;

/** Keeps the first result of each text. */
function distinct(results: readonly KeyedResult[]): readonly KeyedResult[] {
  const keys = results.map(({ key }) => key);
  return results.filter(({ key }, i) => keys.indexOf(key) === i);
}
