import { Option } from 'commander';
import { SOURCE_TYPES } from '../../../domain/chunks/chunk.js';
import type {
  SourceDeletion,
  SourceOverview,
  SourceReport,
} from '../../../ports/driving/sources-service.js';
import { type ProjectOptions, type Session, viewOf } from '../session.js';
import { counted, grouped, printableLine, sized } from '../text/format.js';
import { type Declare, examples, READS, WRITES, withProjectOptions } from './project-command.js';

interface ListOptions extends ProjectOptions {
  readonly type?: string;
}

/** `sources`: what the index holds of each file. */
const sources: Declare = (command, context) => {
  command.description('Lists the files that are indexed, or deletes one from the index.');
  declareList(command.command('list', { isDefault: true }), context);
  declareDelete(command.command('delete'), context);
};

export const commands = { sources };

/** `sources list`: `GET /api/knowledge/x/sources`. */
const declareList: Declare = (command, { runner }) => {
  withProjectOptions(command)
    .summary('list the indexed files (default)')
    .description('Lists the files that are indexed, and those that are skipped with the reason.')
    .addOption(new Option('--type <type>', 'only files of this type').choices(SOURCE_TYPES))
    .addHelpText('after', examples('sources', 'sources list --type manual'))
    .action((options: ListOptions) =>
      runner.run(options, READS, (session) => list(session, options)),
    );
};

/** `sources delete`: `DELETE /api/knowledge/x/sources`. */
const declareDelete: Declare = (command, { runner }) => {
  withProjectOptions(command)
    .summary('delete the chunks of a file')
    .description(
      'Deletes the chunks of a file. The file of a note, a web page or a digest is deleted with them; any other file stays, and the next ingest indexes it again.',
    )
    .argument('<source>', 'path of the file, relative to the project')
    .addHelpText('after', examples('sources delete .knowledge/urls/example-org.md'))
    .action((sourceFile: string, options: ProjectOptions) =>
      runner.run(options, WRITES, async (session) => {
        const fields = { sourceFile };
        const body = await session.call<SourceDeletion>('DELETE /api/knowledge/x/sources', fields);
        await session.print(body, deletionText);
      }),
    );
};

async function list(session: Session, { type: sourceType }: ListOptions): Promise<void> {
  const fields = { sourceType };
  const body = await session.call<SourceOverview>('GET /api/knowledge/x/sources', fields);
  await session.print(body, () => sourcesText(session, body));
}

/** The sources of a project as a table, and what is not read. */
async function sourcesText(session: Session, { sources: held, skipped }: SourceOverview) {
  const { table, cutPath } = await import('../text/layout.js');
  const { styles, columns } = viewOf(session);
  const titles = [
    { title: 'source', cut: cutPath },
    { title: 'type' },
    { title: 'chunks', align: 'right' },
    { title: 'size', align: 'right', isOptional: true },
    { title: 'retrieved', align: 'right', isOptional: true },
    { title: 'indexed', isOptional: true },
  ] as const;
  const rows = table(titles, held.map(rowOf), { width: columns, title: styles.dim });
  const left = skipped.map(({ sourceFile, reason }) =>
    printableLine(`skipped ${sourceFile}: ${reason}`),
  );
  const all =
    held.length === 0 ? 'Nothing is indexed.' : `${rows}\n\n${counted(held.length, 'source')}`;
  return [all, ...left].join('\n');
}

function rowOf(source: SourceReport): readonly string[] {
  return [
    printableLine(source.sourceFile),
    printableLine(source.sourceType),
    grouped(source.chunks),
    source.bytes === 0 ? '–' : sized(source.bytes),
    grouped(source.retrievals),
    printableLine(source.indexedAt?.slice(0, 10) ?? ''),
  ];
}

function deletionText({ deleted, returns }: SourceDeletion): string {
  const end = returns ? ' The file is still there: the next ingest indexes it again.' : '';
  return `${counted(deleted, 'chunk')} deleted.${end}`;
}
