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

/** A note as its file says it. */
export interface NoteRecord {
  readonly title: string;
  /** Markdown without frontmatter and title. */
  readonly content: string;
  readonly tags?: readonly string[];
  readonly importance?: number;
  readonly cites?: readonly string[];
  readonly supersedes?: string;
  /** ISO 8601, as are the other times; absent if the file does not say it. */
  readonly created?: string;
  /** When the file was modified, if it does not say when the note was updated. */
  readonly updated: string;
  /** The day from which searches leave the note out. */
  readonly expires?: string;
  readonly author?: string;
  readonly session?: string;
  readonly version: string;
}

/** What a reader of a note needs to judge and to change it. */
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
    ...{ title, content: content.trimEnd(), version: noteVersion(hash) },
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

/** A short name of the text of a note's file. */
export function noteVersion(hash: string): string {
  return hash.slice(0, VERSION_CHARACTERS);
}

const VERSION_CHARACTERS = 16;

function present<Fields extends object>(fields: Fields): Defined<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<Fields>;
}

type Defined<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
