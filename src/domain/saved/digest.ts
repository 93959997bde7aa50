import { isRecord } from '../records.js';
import type { SavedText } from './saved-text.js';

/** A source of a digest, with the hash of the text that was read. */
export interface DigestSource {
  readonly sourceFile: string;
  readonly hash: string;
}

export interface Digest {
  readonly title: string;
  /** ISO 8601. */
  readonly made: string;
  readonly sources: readonly DigestSource[];
  /** Markdown without the title. */
  readonly content: string;
}

/** The sources and their hashes stand in the frontmatter, as two lists in the same order. */
export function textOfDigest({ title, made, sources, content }: Digest): SavedText {
  const metadata = {
    title,
    made,
    sources: sources.map(({ sourceFile }) => sourceFile),
    hashes: sources.map(({ hash }) => hash),
  };
  return { metadata, title, content };
}

/** Whether a digest with this parsed frontmatter, unchecked, was made of exactly these sources. */
export function isMadeOf(frontmatter: unknown, sources: readonly DigestSource[]): boolean {
  const { sources: files, hashes } = isRecord(frontmatter) ? frontmatter : {};
  return (
    isSameList(
      files,
      sources.map(({ sourceFile }) => sourceFile),
    ) &&
    isSameList(
      hashes,
      sources.map(({ hash }) => hash),
    )
  );
}

/** The name of a digest's file. Different subjects have different names, since odd characters become their codes. */
export function digestName(kind: 'category' | 'epic', id: string): string {
  const name = [...id].map((char) => (/[\w-]/.test(char) ? char : `~${codeOf(char)}`)).join('');
  return `${kind}-${name}`.slice(0, NAME_MAX_CHARACTERS);
}

export const EPIC_ID_MAX_CHARACTERS = 200;

/** Fits every file system. Only epics with long and very odd names can share a file, which is then made again. */
const NAME_MAX_CHARACTERS = 240;

export function isEpicId(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= EPIC_ID_MAX_CHARACTERS;
}

function codeOf(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).padStart(6, '0');
}

function isSameList(value: unknown, expected: readonly string[]): boolean {
  return (
    Array.isArray(value) &&
    value.length === expected.length &&
    expected.every((entry, index) => entry === value[index])
  );
}
