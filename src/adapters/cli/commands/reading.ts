import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { displayTitle } from '../../../domain/chunks/display-title.js';
import { formatCount } from '../../../domain/figures.js';
import type { StaleBody } from '../bodies.js';
import type { Session } from '../session.js';
import { printable, printableLine } from '../text/format.js';
import { argument, type ProjectCommand, printing } from './command.js';

export const get: ProjectCommand = {
  name: 'get',
  summary: 'print the text of a chunk, or lines of a file',
  description: 'Prints the text of a chunk by its id, or lines of an indexed file.',
  arguments: [
    argument(
      '<id-or-path>',
      'what',
      'an id (docs/db.md#1), a file, or lines of it (docs/db.md:10-24)',
    ),
  ],
  examples: ['get docs/db.md#1', 'get docs/db.md:10-24', 'get docs/db.md'],
  work: (session, { what }) =>
    /#\d+$/.test(String(what)) ? getChunk(session, String(what)) : getLines(session, String(what)),
};

async function getChunk(session: Session, given: string): Promise<void> {
  const end = given.lastIndexOf('#');
  const file = given.slice(0, end);
  const id = (isFromHere(file) ? pathInProject(session, file) : file) + given.slice(end);
  const body = await session.call('GET /api/knowledge/x/chunks/{id}', { id });
  const { content, sourceFile } = body.chunk;
  const title = displayTitle(body.chunk);
  await session.print(body, async () => {
    const { citationSentences } = await import('../text/results.js');
    if (session.terminal.showsProgress) {
      const place = session.formatFilePlace(sourceFile, body.line);
      session.note(title === undefined ? place : `${place} › ${title}`);
    }
    if (body.supersededBy !== undefined) {
      session.note(`The note ${body.supersededBy} replaces this one.`);
    }
    noteDifference(session, sourceFile);
    for (const sentence of citationSentences(body)) session.note(sentence);
    return printable(content);
  });
}

async function getLines(session: Session, what: string): Promise<void> {
  const place = resolve(session.directory, what.replace(/:\d+(-\d+)?$/, ''));
  const isHere = isFromHere(what) || existsSync(place);
  const fields = { sourceFile: isHere ? pathInProject(session, what) : what };
  const body = await session.call('GET /api/knowledge/x/lines', fields);
  await session.print(body, () => {
    noteDifference(session, body.sourceFile);
    return printable(body.text);
  });
}

function noteDifference(session: Session, sourceFile: string): void {
  const sentence = session.project.worktreeText?.(sourceFile);
  if (sentence !== undefined) session.note(sentence);
}

function isFromHere(file: string): boolean {
  return isAbsolute(file) || /^\.\.?[/\\]/.test(file);
}

/**
 * Converts a path relative to the working directory, as results show it, to one relative to the project. A path outside
 * the project stays as it is.
 */
function pathInProject({ directory, project }: Session, file: string): string {
  const path = relative(project.path, resolve(directory, file));
  const isOutside = path.startsWith('..') || isAbsolute(path);
  return isOutside ? file : path.replaceAll('\\', '/');
}

export const stale: ProjectCommand = {
  name: 'stale',
  summary: 'list chunks that cite changed files',
  description: 'Lists chunks that cite changed or deleted files.',
  examples: ['stale', 'stale --json'],
  work: printing('GET /api/knowledge/x/stale', staleText),
};

/** Lists stale chunks with their places and the state of their citations. */
async function staleText({ chunks }: StaleBody, session: Session): Promise<string> {
  if (chunks.length === 0) return 'No chunk is stale: all cited files are unchanged.';
  const { citationSentences } = await import('../text/results.js');
  const places = await session.formatPlaces(chunks.map((chunk) => ({ chunk })));
  const entries = chunks.map((chunk, i) => {
    const heading = chunk.heading === undefined ? '' : ` › ${printableLine(chunk.heading)}`;
    const sentences = citationSentences(chunk).map((sentence) => `   ${sentence}`);
    return [`${session.styles.name(places[i] ?? chunk.id)}${heading}`, ...sentences].join('\n');
  });
  return [...entries, formatCount(chunks.length, 'stale chunk')].join('\n\n');
}
