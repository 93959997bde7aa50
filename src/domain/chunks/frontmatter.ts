import {
  CITATIONS_PER_CHUNK,
  CITED_PATH_MAX_CHARACTERS,
  FRONTMATTER_MAX_CHARACTERS,
  NAME_MAX_CHARACTERS,
  NAMES_MAX,
  TAG_MAX_CHARACTERS,
  TAGS_MAX,
} from '../limits.js';
import { isRecord } from '../records.js';
import { takeHead } from '../text.js';
import { isLikeMapping } from './mapping-lines.js';
import type { SourceNames } from './source-names.js';

interface FrontmatterMetadata {
  /** Absent if there are none. */
  readonly tags?: readonly string[];
  /** 0 to 1. */
  readonly importance?: number;
  /** Files of the project, with or without lines; absent if there are none. */
  readonly cites?: readonly string[];
}

interface SplitMarkdown {
  /** The YAML between the fences; undefined if the file has no frontmatter. */
  readonly yaml?: string;
  readonly body: string;
}

/**
 * Splits a file at its frontmatter, without its byte-order mark. Text between two `---` lines is frontmatter only if it
 * is a mapping. An unclosed block is text.
 */
export function splitFrontmatter(text: string): SplitMarkdown {
  const [whole = '', yaml = ''] = FRONTMATTER.exec(text) ?? [];
  if (whole === '' || !isLikeMapping(yaml)) return { body: text.replace(/^\uFEFF/, '') };
  return { yaml, body: text.slice(whole.length) };
}

/** The metadata and names in frontmatter. Invalid YAML is read entry by entry. */
export function parseMetadata(
  yaml: string,
  parseYaml: (yaml: string) => unknown,
): FrontmatterMetadata & SourceNames {
  if (!mayHoldMetadata(yaml)) return {};
  const value = frontmatterValue(yaml, parseYaml);
  return { ...readMetadata(value), ...readNames(value) };
}

/** The value of a file's frontmatter, undefined if there is none, and the text after it. */
export function readFrontmatter(
  text: string,
  parseYaml: (yaml: string) => unknown,
): { readonly value: unknown; readonly body: string } {
  const { yaml, body } = splitFrontmatter(text);
  return { value: yaml ? frontmatterValue(yaml, parseYaml) : undefined, body };
}

/** The parsed frontmatter or, if it is not a YAML mapping, its entries, each parsed alone. */
export function frontmatterValue(yaml: string, parseYaml: (yaml: string) => unknown): unknown {
  const parsed = parseYaml(yaml);
  if (isRecord(parsed) || yaml.length > FRONTMATTER_MAX_CHARACTERS) return parsed;
  const entries = [...splitEntries(yaml)].map(([name, lines]) => {
    // Lines that continue an entry must be indented.
    const value = property(parseYaml(lines.join('\n ')), name);
    return [name, value ?? readEntry(name, lines)] as const;
  });
  return Object.fromEntries(entries);
}

/** The lines of each entry that is used, the last one of each name. */
function splitEntries(yaml: string): ReadonlyMap<string, string[]> {
  const entries = new Map<string, string[]>();
  let lines: string[] | undefined;
  for (const line of yaml.split(/\r\n|\r|\n/)) {
    if (!BEGIN.test(line)) lines?.push(line);
    else {
      const [, name] = ENTRY.exec(line) ?? [];
      lines = [line];
      if (name !== undefined) entries.set(name, lines);
    }
  }
  return entries;
}

/** Matches a line that begins an entry. */
const BEGIN = /^[^\s#,[\]{}'"-][^:]*:(?:\s|$)/;
/** Matches the entries that are used. */
const ENTRY =
  /^(tags|importance|cites|supersedes|superseded_by|status|title|aliases|description)[ \t]*:(.*)$/;

/** The entries whose list may lack its closing bracket. */
const LISTS: ReadonlySet<string> = new Set(['tags', 'cites', 'aliases']);

/** The value of an entry that is not YAML: a number, a text, or a list as `[a, b]` or with a dash per line. */
function readEntry(name: string, [line = '', ...rest]: readonly string[]): unknown {
  const value = ENTRY.exec(line)?.[2]?.trim() ?? '';
  if (name === 'importance') return Number(value);
  const items = rest.flatMap((one) => /^[ \t]*-[ \t](.*)$/.exec(one)?.[1] ?? []);
  if (value === '') return items.map(unquote);
  const isList = /^\[.*\]$/.test(value) || (value.startsWith('[') && LISTS.has(name));
  return isList
    ? value
        .replace(/^\[|\]$/g, '')
        .split(',')
        .map(unquote)
    : unquote(value);
}

function unquote(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/, '$2');
}

/** Whether frontmatter may contain anything for {@link readMetadata}; most need not be parsed. */
export function mayHoldMetadata(yaml: string): boolean {
  // A backslash may encode a letter of a name.
  return /tags|importance|cites|title|aliases|description|\\/.test(yaml);
}

/** Reads parsed frontmatter, which is untrusted: invalid values are left out. */
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

function readNames(frontmatter: unknown): SourceNames {
  const [title] = texts(property(frontmatter, 'title'));
  const [description] = texts(property(frontmatter, 'description'));
  const aliases = texts(property(frontmatter, 'aliases')).slice(0, NAMES_MAX);
  return {
    ...(title !== undefined && { title }),
    ...(aliases.length > 0 && { aliases }),
    ...(description !== undefined && { description }),
  };
}

/** The strings of a list, or a single string, without those that are too long. */
function texts(value: unknown): readonly string[] {
  return [value]
    .flat()
    .filter((entry) => typeof entry === 'string' || typeof entry === 'number')
    .map((entry) => takeHead(String(entry).toWellFormed().trim(), NAME_MAX_CHARACTERS))
    .filter((entry) => entry !== '');
}

/** The id of the note that a note supersedes; undefined if its parsed frontmatter names none. */
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

/** A list of strings, or one string of comma-separated tags. */
function readTags(value: unknown): readonly string[] {
  const list = typeof value === 'string' ? value.split(',') : [value].flat();
  return list
    .filter((tag) => ['string', 'number', 'boolean'].includes(typeof tag))
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
