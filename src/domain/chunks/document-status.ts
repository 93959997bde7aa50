import { isRecord } from '../records.js';
import { takeHead } from '../text.js';
import type { Chunk } from './chunk.js';
import { joinLines, parseLines } from './markdown.js';

/** Statuses that mark a document as no longer valid. Also the tags of its chunks. */
export const RETIRED_STATUSES = ['superseded', 'deprecated', 'rejected'] as const;

export type RetiredStatus = (typeof RETIRED_STATUSES)[number];

/**
 * Reads `status`, as written by MADR (`superseded by ADR-0002`), or `superseded_by`, ignoring case; undefined for a
 * valid document.
 */
export function readRetiredStatus(frontmatter: unknown): RetiredStatus | undefined {
  if (!isRecord(frontmatter)) return undefined;
  const entries = new Map(
    Object.entries(frontmatter).map(([name, value]) => [
      name.toLowerCase().replace(/[_ -]/g, ''),
      text(value),
    ]),
  );
  const isReplaced = (entries.get('supersededby') ?? '') !== '';
  return findRetiredStatus(entries.get('status')) ?? (isReplaced ? 'superseded' : undefined);
}

/**
 * Reads the status of a decision from its text: a section `## Status` (Nygard), or a line above the first section (`*
 * Status: superseded by …`, older MADR).
 */
export function retiredStatusInText(body: string): RetiredStatus | undefined {
  const beginning = takeHead(body, STATUS_MAX_CHARACTERS);
  if (!/status/i.test(beginning)) return undefined;
  const prose = parseLines(beginning).filter(({ fence }) => fence === undefined);
  const text = withoutHidden(joinLines(prose));
  const inSection = STATUS_SECTION.exec(text)?.[1];
  const [head = ''] = text.split(/^ {0,3}##/m, 1);
  const inLine = STATUS_LINE.exec(head)?.[1];
  return findRetiredStatus(inSection ?? inLine);
}

/** A decision has its status near the beginning. */
const STATUS_MAX_CHARACTERS = 2000;

/** Removes comments and text that is crossed out. */
function withoutHidden(text: string): string {
  return text.replace(/<!--[^<>]{0,500}-->|~~[^~\n]{1,100}~~/g, '');
}

/** The first word of a section about the status, whose heading may be underlined or contain it. */
const STATUS_SECTION =
  /^ {0,3}(?:#{2,6}[ \t]+status(?:[ \t]*:|[ \t]*#*[ \t]*$)|status[ \t]*\n {0,3}-+[ \t]*$)[^\p{L}\p{N}]*(\p{L}+)/imu;
const STATUS_LINE =
  /^ {0,3}(?:[*+-][ \t]+|\|[ \t]*)?[*_]*status[*_]*[ \t]*[:|][^\p{L}\p{N}\n]*(\p{L}+)/imu;

/** Accepts `superceded`, as written by a common tool for decision records. */
function findRetiredStatus(status = ''): RetiredStatus | undefined {
  const visible = withoutHidden(status).replace(/^[^\p{L}]+/u, '');
  const written = visible.toLowerCase().replace(/^superc/, 'supers');
  return RETIRED_STATUSES.find((retired) => written.startsWith(retired));
}

function text(value: unknown): string {
  const [first] = [value].flat();
  return typeof first === 'string' || typeof first === 'number' ? String(first).trim() : '';
}

/** Whether frontmatter can contain a status at all. */
export function mayHoldStatus(yaml: string): boolean {
  return /status|supersede|\\/i.test(yaml);
}

export function isRetired({ tags = [] }: Pick<Chunk, 'tags'>): boolean {
  return RETIRED_STATUSES.some((status) => tags.includes(status));
}
