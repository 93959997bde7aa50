import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exportPath } from '../../../domain/transfer/archive-names.js';
import type { ExportReport, ImportReport } from '../../../ports/driving/recovery-service.js';
import { UsageError } from '../exit.js';
import type { ProjectOptions, Session } from '../session.js';
import { counted, printableLine, sized } from '../text/format.js';
import { type Declare, examples, WRITES, withProjectOptions } from './project-command.js';

/** `export`: `POST /api/knowledge/x/export`. */
const exportAll: Declare = (command, { runner }) => {
  withProjectOptions(command)
    .description(
      'Writes chunks, questions, vectors and counts of retrievals as JSON lines, which any backend can import.',
    )
    .argument('[file]', 'where to put it; default: beside the database')
    .addHelpText('after', examples('export', 'export shop.jsonl'))
    .action((file: string | undefined, options: ProjectOptions) =>
      runner.run(options, WRITES, async (session) => {
        const body = await session.call<ExportReport>('POST /api/knowledge/x/export');
        const shown = moveOut(session, body.file, file);
        await session.print({ ...body, file: shown }, () => {
          const what = `${counted(body.chunks, 'chunk')} and ${counted(body.vectors, 'vector')}`;
          return printableLine(`Exported ${what} to ${shown} (${sized(body.bytes)}).`);
        });
      }),
    );
};

/** `import`: `POST /api/knowledge/x/import`. */
const importAll: Declare = (command, { runner }) => {
  withProjectOptions(command)
    .description(
      'Adds the chunks, questions, vectors and counts of an export to the store. What is there already with another text stays.',
    )
    .argument('<export>', 'a file, or the name of an export beside the database')
    .addHelpText('after', examples('import shop.jsonl', 'import 2026-11-22T09-30-00'))
    .action((given: string, options: ProjectOptions) =>
      runner.run(options, WRITES, async (session) => {
        const body = await withExport(session, given, (name) =>
          session.call<ImportReport>('POST /api/knowledge/x/import', { name }),
        );
        await session.print(body, () => importedText(session, body));
      }),
    );
};

export const commands = { export: exportAll, import: importAll };

/**
 * Moves a file that a route made in the application directory to where the user wants it.
 * @returns the path to show
 */
function moveOut(session: Session, file: string, wanted: string | undefined): string {
  if (wanted === undefined) return file;
  const inside = resolve(session.project.path, file);
  try {
    copyFileSync(inside, resolve(session.directory, wanted), constants.COPYFILE_EXCL);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new UsageError(`${wanted} is there already; choose another file.`);
  } finally {
    rmSync(inside);
  }
  return wanted;
}

/**
 * Lets `work` use an export by its name: one that the application directory has, or a file from
 * anywhere, which is copied there for as long as it takes.
 */
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
  const directory = applicationDirectory(session);
  const name = `from-${randomBytes(4).toString('hex')}`;
  const inside = resolve(directory, '..', exportPath(session.project.appDir, name));
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
    session.note(
      `The vectors are of another model (${printableLine(otherModel)}) and were left out.`,
    );
  }
  const what = `${counted(added, 'chunk')} added, ${merged} merged, ${different} left out`;
  return `${what}; ${counted(vectors, 'vector')} added.`;
}
