import { splitFrontmatter } from '../chunks/frontmatter.js';
import { isRecord } from '../records.js';

type Entries = Readonly<Record<string, unknown>>;

/** Sets entries in the frontmatter of a markdown text; other entries stay. */
export function withFrontmatter(
  text: string,
  changes: Entries,
  parse: (yaml: string) => unknown,
): string {
  const { yaml = '', body } = splitFrontmatter(text);
  if (hasEntryPerLine(yaml)) return `${fenceYaml(withEntries(yaml, changes))}${body}`;
  const parsed = parse(yaml);
  if (!isRecord(parsed)) return `${renderFrontmatter(changes)}${text}`;
  const set = Object.entries(changes).filter(([, value]) => value !== undefined);
  return `${renderFrontmatter({ ...parsed, ...Object.fromEntries(set) })}${body}`;
}

/** A frontmatter of these entries; empty if none is left. */
export function renderFrontmatter(metadata: Entries): string {
  return fenceYaml(withEntries('', metadata));
}

function fenceYaml(yaml: string): string {
  return yaml === '' ? '' : `---\n${yaml}---\n`;
}

/**
 * Sets entries in the lines of a frontmatter, each with its line end: an entry replaces the one with its name, an empty
 * one removes it. All other lines are unchanged, so that even invalid YAML keeps its text.
 */
function withEntries(yaml: string, entries: Entries): string {
  const missing = new Map(Object.entries(entries).filter(([, value]) => value !== undefined));
  const lines: string[] = [];
  let isReplaced = false;
  for (const line of yaml.split(/(?<=\n)|(?<=\r)(?!\n)/)) {
    const name = readKey(line);
    if (name !== undefined)
      isReplaced = Object.hasOwn(entries, name) && entries[name] !== undefined;
    if (!isReplaced || line.startsWith('#')) lines.push(line);
    if (name === undefined || !missing.has(name)) continue;
    lines.push(entryLine(name, missing.get(name)));
    missing.delete(name);
  }
  const added = [...missing].map(([name, value]) => entryLine(name, value));
  return [...lines, ...added].join('');
}

/** Whether each entry of a frontmatter begins on its own line. */
function hasEntryPerLine(yaml: string): boolean {
  const first = yaml.split(/\r\n|\r|\n/).find((line) => /^[ \t]*[^\s#]/.test(line));
  return first === undefined || readKey(first) !== undefined;
}

/** Empty for an empty list. Writes JSON, which is YAML and needs no quoting rules. */
function entryLine(name: string, value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return '';
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  return `${key}: ${JSON.stringify(value)}\n`;
}

function readKey(line: string): string | undefined {
  const [, , quoted, plain] = KEY.exec(line) ?? [];
  return quoted ?? plain;
}

const KEY =
  /^(?:(["'])([^"'\r\n]*)\1|([^\s"'#:{}[\]?-](?:[^:\r\n]{0,200}?[^:\s])?))[ \t]*:(?=\s|$)/;
