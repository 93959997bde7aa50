import { constants, copyFileSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { codeOf } from '../../../domain/errors.js';
import type { ExportReport, ImportReport } from '../../../ports/driving/recovery-service.js';
import { UsageError } from '../exit.js';
import type { Session } from '../session.js';
import { counted, printableLine, sized } from '../text/format.js';
import { argument, type ProjectCommand } from './command.js';

export const exportAll: ProjectCommand = {
  name: 'export',
  summary: 'write everything as JSON lines',
  description:
    'Writes chunks, questions, vectors and counts of retrievals as JSON lines, which any backend can import.',
  arguments: [argument('[file]', 'target', 'where to put it; default: beside the database')],
  examples: ['export', 'export shop.jsonl'],
  work: async (session, { target }) => {
    const body = await session.call<ExportReport>('POST /api/knowledge/x/export');
    const file = target === undefined ? body.file : moveOut(session, body.file, String(target));
    await session.print({ ...body, file }, ({ chunks, vectors, bytes }) => {
      const what = `${counted(chunks, 'chunk')} and ${counted(vectors, 'vector')}`;
      return printableLine(`Exported ${what} to ${file} (${sized(bytes)}).`);
    });
  },
};

/** Moves a file that a route made in the application directory to where the user wants it. */
function moveOut(session: Session, file: string, wanted: string): string {
  const inside = resolve(session.project.path, file);
  try {
    copyFileSync(inside, resolve(session.directory, wanted), constants.COPYFILE_EXCL);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new UsageError(`${wanted} is there already; choose another file.`);
  } finally {
    rmSync(inside);
  }
  return wanted;
}

export const importAll: ProjectCommand = {
  name: 'import',
  summary: 'add what an export holds',
  description:
    'Adds the chunks, questions, vectors and counts of an export to the store. What is there already with another text stays.',
  arguments: [
    argument('<export>', 'source', 'a file, or the name of an export beside the database'),
  ],
  examples: ['import shop.jsonl', 'import 2026-11-22T09-30-00-000'],
  work: async (session, { source }) => {
    const body = await withExport(session, String(source), (name) =>
      session.call<ImportReport>('POST /api/knowledge/x/import', { name }),
    );
    await session.print(body, () => importedText(session, body));
  },
};

/** Lets `work` use an export by its name; a file from elsewhere is copied into the application directory meanwhile. */
async function withExport<T>(
  session: Session,
  given: string,
  work: (name: string) => Promise<T>,
): Promise<T> {
  const outside = resolve(session.directory, given);
  if (statSync(outside, { throwIfNoEntry: false })?.isFile() !== true) {
    if (/[./\\]/.test(given)) throw new Error(`There is no file ${given}.`);
    return work(given);
  }
  const name = `from-${process.pid}-${Date.now().toString(36)}`;
  const { exportPath } = await import('../../../domain/transfer/archive-names.js');
  const file = exportPath(session.project.appDir, name);
  const inside = resolve(applicationDirectory(session), '..', file);
  copyFileSync(outside, inside, constants.COPYFILE_EXCL);
  try {
    return await work(name);
  } finally {
    rmSync(inside, { force: true });
  }
}

/** A project that came from elsewhere may have a link in its place, which nothing is copied through. */
function applicationDirectory({ project: { path, appDir } }: Session): string {
  const directory = join(realpathSync(path), appDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (realpathSync(directory) === directory) return directory;
  throw new Error(
    `${appDir} is a link; the knowledge store needs a real directory of the project.`,
  );
}

function importedText(session: Session, report: ImportReport): string {
  const { added, merged, different, vectors, otherModel } = report;
  if (otherModel !== undefined) {
    session.note(`The vectors are of another model (${otherModel}) and were left out.`);
  }
  const what = `${counted(added, 'chunk')} added, ${merged} merged, ${different} left out`;
  return `${what}; ${counted(vectors, 'vector')} added.`;
}
