import {
  CITATIONS_PER_CHUNK,
  CITED_PATH_MAX_CHARACTERS,
  TAG_MAX_CHARACTERS,
  TAGS_MAX,
} from '../limits.js';
import { isRecord } from '../records.js';

/** What the service uses of a file's frontmatter. */
interface FrontmatterMetadata {
  /** Absent when there are none. */
  readonly tags?: readonly string[];
  /** 0 to 1. */
  readonly importance?: number;
  /** Files of the project, with or without lines; absent when there are none. */
  readonly cites?: readonly string[];
}

interface SplitMarkdown {
  /** The YAML between the fences; undefined where the file has no frontmatter. */
  readonly yaml?: string;
  readonly body: string;
}

/** Splits a file at its frontmatter, without its byte-order mark; one that is never closed counts as text. */
export function splitFrontmatter(text: string): SplitMarkdown {
  const match = FRONTMATTER.exec(text);
  if (match === null) return { body: text.replace(/^\uFEFF/, '') };
  return { yaml: match[1] ?? '', body: text.slice(match[0].length) };
}

/** Whether there can be anything that {@link readMetadata} uses; most frontmatter need not be parsed. */
export function mayHoldMetadata(yaml: string): boolean {
  // A backslash may write a letter of a name in another way.
  return /tags|importance|cites|\\/.test(yaml);
}

/** Reads parsed frontmatter, which is untrusted: what does not fit is left out. */
export function readMetadata(frontmatter: unknown): FrontmatterMetadata {
  const tags = readTags(property(frontmatter, 'tags'));
  const importance = property(frontmatter, 'importance');
  const cites = readCites(property(frontmatter, 'cites'));
  return {
    ...(tags.length > 0 && { tags }),
    ...(typeof importance === 'number' &&
      Number.isFinite(importance) && { importance: Math.min(1, Math.max(0, importance)) }),
    ...(cites.length > 0 && { cites }),
  };
}

/** The id of the note that a note replaces; undefined if its parsed frontmatter names none. */
export function readSupersedes(frontmatter: unknown): string | undefined {
  const value = property(frontmatter, 'supersedes');
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const id = String(value).toWellFormed().trim();
  return /^[^\0]{1,255}$/.test(id) ? id : undefined;
}

const FRONTMATTER =
  /^\uFEFF?---[ \t]*(?:\r\n|\r|\n)([\s\S]*?(?:\r\n|\r|\n))??(?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|$)/;

function property(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A list of strings, or one string of tags that commas part. */
function readTags(value: unknown): readonly string[] {
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return list
    .filter((tag) => typeof tag === 'string' || typeof tag === 'number')
    .map((tag) => String(tag).toWellFormed().trim())
    .filter((tag) => tag !== '' && tag.length <= TAG_MAX_CHARACTERS)
    .slice(0, TAGS_MAX);
}

/** A list of paths, or one path. */
function readCites(value: unknown): readonly string[] {
  return [value]
    .flat()
    .filter((entry) => typeof entry === 'string')
    .map((entry) => entry.toWellFormed().trim())
    .filter((entry) => entry !== '' && entry.length <= CITED_PATH_MAX_CHARACTERS)
    .slice(0, CITATIONS_PER_CHUNK);
}
