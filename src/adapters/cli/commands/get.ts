import { isAbsolute, relative, resolve } from 'node:path';
import type { ChunkDetails, SourceLines } from '../../../ports/driving/sources-service.js';
import { UsageError } from '../exit.js';
import type { ProjectOptions, Session } from '../session.js';
import { citationSentences } from '../text/citations.js';
import { printable, printableLine } from '../text/format.js';
import { type Declare, examples, READS, withProjectOptions } from './project-command.js';

/** `get`: `GET /api/knowledge/x/chunks/{id}` or `GET /api/knowledge/x/lines`. */
const get: Declare = (command, { runner }) => {
  withProjectOptions(command)
    .description('Prints the text of a chunk by its id, or lines of an indexed file.')
    .argument('<what>', 'an id (docs/db.md#1), a file, or lines of it (docs/db.md:10-24)')
    .addHelpText('after', examples('get docs/db.md#1', 'get docs/db.md:10-24', 'get docs/db.md'))
    .action((what: string, options: ProjectOptions) =>
      runner.run(options, READS, (session) => {
        return /#\d+$/.test(what) ? getChunk(session, what) : getLines(session, what);
      }),
    );
};

export const commands = { get };

async function getChunk(session: Session, given: string): Promise<void> {
  const end = given.lastIndexOf('#');
  const id = inProject(session, given.slice(0, end)) + given.slice(end);
  const body = await session.call<ChunkDetails>('GET /api/knowledge/x/chunks/{id}', { id });
  const { heading, content } = body.chunk;
  await session.print(body, async () => {
    const [place = session.pathOf(body.chunk.sourceFile)] = await session.placesOf([body]);
    const title = heading === undefined ? place : `${place} › ${heading}`;
    if (session.terminal.showsProgress) session.note(printableLine(title));
    if (body.supersededBy !== undefined)
      session.note(printableLine(`The note ${body.supersededBy} replaces this one.`));
    for (const sentence of citationSentences(body)) session.note(sentence);
    return printable(content);
  });
}

async function getLines(session: Session, what: string): Promise<void> {
  const { file, from, to } = readRange(what);
  const fields = { sourceFile: inProject(session, file), from, to };
  const body = await session.call<SourceLines>('GET /api/knowledge/x/lines', fields);
  await session.print(body, () => printable(body.text));
}

/** `path`, `path:12`, or `path:12-20`; a single line is shown with what follows it. */
function readRange(what: string) {
  const [, file = what, from, to] = /^(.+?):(\d+)(?:-(\d+))?$/s.exec(what) ?? [];
  if (from === undefined) return { file };
  const start = Number(from);
  const end = to === undefined ? start + LINES_FROM_PLACE - 1 : Number(to);
  if (start >= 1 && end >= start) return { file, from: start, to: end };
  throw new UsageError('Lines count from 1, and the last is not before the first.');
}

const LINES_FROM_PLACE = 40;

/** Results name files as seen from the working directory. */
function inProject({ directory, project }: Session, file: string): string {
  const isPlain = !isAbsolute(file) && !file.startsWith('.');
  if (isPlain && directory === project.path) return file;
  const path = relative(project.path, resolve(directory, file));
  const isOutside = path.startsWith('..') || isAbsolute(path);
  return isOutside || isPlain ? file : path.replaceAll('\\', '/');
}
