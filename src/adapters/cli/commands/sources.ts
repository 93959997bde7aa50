import { type Command, Option } from 'commander';
import { SOURCE_TYPES } from '../../../domain/chunks/chunk.js';
import type { SourceDeletion, SourceOverview } from '../../../ports/driving/sources-service.js';
import type { Needs, Runner } from '../runner.js';
import { type ProjectOptions, type Session, viewOf } from '../session.js';
import { counted } from '../text/numbers.js';
import type { CommandContext } from './command-context.js';
import { examples, withProjectOptions } from './project-command.js';

const READS: Needs = { access: 'reads', model: 'unused' };
const WRITES: Needs = { access: 'writes', model: 'unused' };

interface ListOptions extends ProjectOptions {
  readonly type?: string;
}

/** `sources`: what the index holds of each file. */
export function declareSources(command: Command, { runner }: CommandContext): void {
  command.description('Lists the files that are indexed, or deletes one from the index.');
  addList(command, runner);
  addDelete(command, runner);
}

/** `sources list`: `GET /api/knowledge/x/sources`. */
function addList(sources: Command, runner: Runner): void {
  withProjectOptions(sources.command('list', { isDefault: true }))
    .summary('list the indexed files (default)')
    .description('Lists the files that are indexed, and those that are skipped with the reason.')
    .addOption(new Option('--type <type>', 'only files of this type').choices(SOURCE_TYPES))
    .addHelpText('after', examples('sources', 'sources list --type manual'))
    .action((options: ListOptions) =>
      runner.run(options, READS, (session) => list(session, options)),
    );
}

/** `sources delete`: `DELETE /api/knowledge/x/sources`. */
function addDelete(sources: Command, runner: Runner): void {
  withProjectOptions(sources.command('delete'))
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
}

async function list(session: Session, { type: sourceType }: ListOptions): Promise<void> {
  const fields = { sourceType };
  const body = await session.call<SourceOverview>('GET /api/knowledge/x/sources', fields);
  await session.print(body, async () => {
    const { sourcesText } = await import('../text/sources.js');
    return sourcesText(body, viewOf(session));
  });
}

function deletionText({ deleted, returns }: SourceDeletion): string {
  const end = returns ? ' The file is still there: the next ingest indexes it again.' : '';
  return `${counted(deleted, 'chunk')} deleted.${end}`;
}
