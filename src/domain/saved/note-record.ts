import type { Chunk } from '../chunks/chunk.js';
import { readMetadata, readSupersedes } from '../chunks/frontmatter.js';
import { isRecord } from '../records.js';
import { readExpiry, readText, readTime } from './note-dates.js';
import { splitTitle } from './note-text.js';

/** The file of a note as it was read. */
interface NoteFile {
  readonly name: string;
  /** Hash of the whole text of the file. */
  readonly hash: string;
  /** Parsed and unchecked. */
  readonly frontmatter: unknown;
  readonly body: string;
  readonly modifiedAt: Date;
}

/** A note, as its file describes it. */
export interface NoteRecord {
  readonly title: string;
  /** Markdown without frontmatter and title. */
  readonly content: string;
  readonly tags?: readonly string[];
  readonly importance?: number;
  readonly cites?: readonly string[];
  readonly supersedes?: string;
  /** ISO 8601, like the other times; absent if the file does not say. */
  readonly created?: string;
  /** If the file does not say, its modification time. */
  readonly updated: string;
  /** The day from which searches leave the note out. */
  readonly expires?: string;
  readonly author?: string;
  readonly session?: string;
  readonly version: string;
}

/** The metadata that a reader needs to judge and change a note. */
export type NoteState = Pick<NoteRecord, 'version' | 'updated'>;

export function readNoteRecord({
  name,
  hash,
  frontmatter,
  body,
  modifiedAt,
}: NoteFile): NoteRecord {
  const fields = isRecord(frontmatter) ? frontmatter : {};
  const { title = readText(fields['title']) ?? name, content } = splitTitle(body);
  return {
    title,
    content: content.trimEnd(),
    version: noteVersion(hash),
    updated: readTime(fields['updated']) ?? modifiedAt.toISOString(),
    ...readMetadata(fields),
    ...present({
      supersedes: readSupersedes(fields),
      created: readTime(fields['created']),
      expires: readExpiry(fields),
      author: readText(fields['author']),
      session: readText(fields['session']),
    }),
  };
}

/** A short hash of a note's file. */
export function noteVersion(hash: string): string {
  return hash.slice(0, VERSION_CHARACTERS);
}

const VERSION_CHARACTERS = 16;

function present<Fields extends object>(fields: Fields): Defined<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Fields>;
}

type Defined<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

/** The agent and the time of an exchange in a session. */
export interface Said {
  /** Such as `claude`; absent for other sources. */
  readonly agent?: string | undefined;
  /** ISO 8601 time of the exchange. */
  readonly said?: string | undefined;
}

/** For people: `2026-11-01, with claude`; undefined for other sources. */
export function saidText({ agent, said }: Said): string | undefined {
  if (agent === undefined) return undefined;
  return said === undefined ? `with ${agent}` : `${said.slice(0, 10)}, with ${agent}`;
}

/** Metadata shown with the text of a source: the version and age of a note, the agent of a session. */
export type SourceState = NoteState | { readonly agent: string };

/** The state of a chunk's source; for a session, with the time of the exchange. */
export function findState(
  { sourceFile, createdAt }: Pick<Chunk, 'sourceFile' | 'createdAt'>,
  states: ReadonlyMap<string, SourceState>,
): NoteState | { readonly agent: string; readonly said: string } | undefined {
  const state = states.get(sourceFile);
  return state !== undefined && 'agent' in state ? { ...state, said: createdAt } : state;
}
