import type { Command } from 'commander';
import type { BackupFile, RestoredStore } from '../../../ports/driven/store-backups.js';
import type { ExportReport, ImportReport } from '../../../ports/driving/recovery-service.js';
import { moveOut, withArchive } from '../archive-file.js';
import type { Needs } from '../runner.js';
import type { ProjectOptions, Session } from '../session.js';
import { counted, sized } from '../text/numbers.js';
import { printableLine } from '../text/printable.js';
import type { CommandContext } from './command-context.js';
import { examples, withProjectOptions } from './project-command.js';

const NEEDS: Needs = { access: 'writes', model: 'unused' };
const ELSEWHERE = 'where to put it; default: beside the database';

/** `backup`: `POST /api/knowledge/x/backup`. */
export function declareBackup(command: Command, { runner }: CommandContext): void {
  withProjectOptions(command)
    .description(
      'Copies one committed state of the database into a file, by the online backup of SQLite.',
    )
    .argument('[file]', ELSEWHERE)
    .addHelpText('after', examples('backup', 'backup ~/backups/shop.db'))
    .action((file: string | undefined, options: ProjectOptions) =>
      runner.run(options, NEEDS, async (session) => {
        const body = await session.call<BackupFile>('POST /api/knowledge/x/backup');
        const shown = moveOut(session, body.file, file);
        await session.print({ ...body, file: shown }, () =>
          printableLine(`Backed up to ${shown} (${sized(body.bytes)}).`),
        );
      }),
    );
}

/** `restore`: `POST /api/knowledge/x/restore`. */
export function declareRestore(command: Command, { runner }: CommandContext): void {
  withProjectOptions(command)
    .description(
      'Checks a backup and puts a copy of it in the place of the database, which is kept beside it.',
    )
    .argument('<backup>', 'a file, or the name of a backup beside the database')
    .addHelpText('after', examples('restore ~/backups/shop.db', 'restore 2026-11-22T09-30-00'))
    .action((given: string, options: ProjectOptions) =>
      runner.run(options, NEEDS, async (session) => {
        const body = await withArchive(session, { kind: 'backup', given }, (name) =>
          session.call<RestoredStore>('POST /api/knowledge/x/restore', { name }),
        );
        await session.print(body, () => restoredText(body));
      }),
    );
}

/** `export`: `POST /api/knowledge/x/export`. */
export function declareExport(command: Command, { runner }: CommandContext): void {
  withProjectOptions(command)
    .description(
      'Writes chunks, questions, vectors and counts of retrievals as JSON lines, which any backend can import.',
    )
    .argument('[file]', ELSEWHERE)
    .addHelpText('after', examples('export', 'export shop.jsonl'))
    .action((file: string | undefined, options: ProjectOptions) =>
      runner.run(options, NEEDS, async (session) => {
        const body = await session.call<ExportReport>('POST /api/knowledge/x/export');
        const shown = moveOut(session, body.file, file);
        await session.print({ ...body, file: shown }, () => {
          const what = `${counted(body.chunks, 'chunk')} and ${counted(body.vectors, 'vector')}`;
          return printableLine(`Exported ${what} to ${shown} (${sized(body.bytes)}).`);
        });
      }),
    );
}

/** `import`: `POST /api/knowledge/x/import`. */
export function declareImport(command: Command, { runner }: CommandContext): void {
  withProjectOptions(command)
    .description(
      'Adds the chunks, questions, vectors and counts of an export to the store. What is there already with another text stays.',
    )
    .argument('<export>', 'a file, or the name of an export beside the database')
    .addHelpText('after', examples('import shop.jsonl', 'import 2026-11-22T09-30-00'))
    .action((given: string, options: ProjectOptions) =>
      runner.run(options, NEEDS, async (session) => {
        const body = await withArchive(session, { kind: 'export', given }, (name) =>
          session.call<ImportReport>('POST /api/knowledge/x/import', { name }),
        );
        await session.print(body, () => importedText(session, body));
      }),
    );
}

function restoredText({ chunks, previous }: RestoredStore): string {
  const kept = previous === undefined ? '' : ` The former database is kept as ${previous}.`;
  return printableLine(`Restored: the store has ${counted(chunks, 'chunk')}.${kept}`);
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
