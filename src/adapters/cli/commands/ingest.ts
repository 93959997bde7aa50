import type { Command } from 'commander';
import type { IngestionReport } from '../../../ports/driving/ingestion-service.js';
import type { StatsBody } from '../bodies.js';
import { makeVectors } from '../making-vectors.js';
import type { Needs } from '../runner.js';
import type { ProjectOptions, Session } from '../session.js';
import { counted } from '../text/numbers.js';
import { printableLine } from '../text/printable.js';
import { whileShowing } from '../text/progress.js';
import type { CommandContext } from './command-context.js';
import { examples, withProjectOptions } from './project-command.js';
import { printStats } from './stats.js';

interface IndexOptions extends ProjectOptions {
  readonly vectors: boolean;
}

const LABEL = 'Reading sources';

/** `ingest`: `POST /api/knowledge/x/reindex`. */
export function declareIngest(command: Command, { runner }: CommandContext): void {
  withIndexOptions(command)
    .description('Reads the sources of the project and indexes what is new or changed.')
    .addHelpText('after', examples('ingest', 'ingest --project ~/projects/shop --no-vectors'))
    .action((options: IndexOptions) =>
      runner.run(options, needsOf(options), (session) => ingest(session, options)),
    );
}

/** `rebuild`: `POST /api/knowledge/rebuild`. */
export function declareRebuild(command: Command, { runner }: CommandContext): void {
  withIndexOptions(command)
    .description(
      'Reads all sources again and rebuilds the full-text index. Pruned chunks come back.',
    )
    .action((options: IndexOptions) =>
      runner.run(options, needsOf(options), (session) => rebuild(session, options)),
    );
}

function withIndexOptions(command: Command): Command {
  return withProjectOptions(command).option(
    '--no-vectors',
    'do not wait for vectors; a running service or the next command makes them',
  );
}

function needsOf({ vectors }: IndexOptions): Needs {
  return { access: 'writes', model: vectors ? 'downloaded' : 'unused' };
}

async function ingest(session: Session, options: IndexOptions): Promise<void> {
  const body = await whileShowing(session.terminal, LABEL, () =>
    session.call<IngestionReport>('POST /api/knowledge/x/reindex'),
  );
  await session.print(body, indexingText);
  if (options.vectors) await makeVectors(session);
}

async function rebuild(session: Session, options: IndexOptions): Promise<void> {
  const body = await whileShowing(session.terminal, LABEL, () =>
    session.call<StatsBody>('POST /api/knowledge/rebuild'),
  );
  await printStats(session, body);
  if (options.vectors) await makeVectors(session);
}

function indexingText({ indexed, skipped }: IngestionReport): string {
  const lines = skipped.map(({ sourceFile, reason }) =>
    printableLine(`  skipped ${sourceFile}: ${reason}`),
  );
  return [`${counted(indexed, 'source')} indexed.`, ...lines].join('\n');
}
