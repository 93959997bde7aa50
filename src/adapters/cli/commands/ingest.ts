import type { Command } from 'commander';
import type { IngestionReport } from '../../../ports/driving/ingestion-service.js';
import type { StatsBody } from '../bodies.js';
import { makeVectors } from '../making-vectors.js';
import type { Needs, Runner } from '../runner.js';
import type { ProjectOptions, Session } from '../session.js';
import { counted } from '../text/numbers.js';
import { printableLine } from '../text/printable.js';
import { Progress } from '../text/progress.js';
import { examples, withProjectOptions } from './project-command.js';
import { printStats } from './stats.js';

interface IndexOptions extends ProjectOptions {
  readonly vectors: boolean;
}

/** `ingest`: `POST /api/knowledge/x/reindex`. */
export function addIngest(program: Command, runner: Runner): void {
  indexCommand(program, 'ingest')
    .summary('index what is new or changed')
    .description('Reads the sources of the project and indexes what is new or changed.')
    .addHelpText('after', examples('ingest', 'ingest --project ~/projects/shop --no-vectors'))
    .action((options: IndexOptions) =>
      runner.run(options, needsOf(options), (session) => ingest(session, options)),
    );
}

/** `rebuild`: `POST /api/knowledge/rebuild`. */
export function addRebuild(program: Command, runner: Runner): void {
  indexCommand(program, 'rebuild')
    .summary('read all sources again and rebuild the index')
    .description(
      'Reads all sources again and rebuilds the full-text index. Pruned chunks come back.',
    )
    .action((options: IndexOptions) =>
      runner.run(options, needsOf(options), (session) => rebuild(session, options)),
    );
}

function indexCommand(program: Command, name: string): Command {
  return withProjectOptions(program.command(name)).option(
    '--no-vectors',
    'do not wait for vectors; a running service or the next command makes them',
  );
}

function needsOf({ vectors }: IndexOptions): Needs {
  return { access: 'writes', model: vectors ? 'downloaded' : 'unused' };
}

async function ingest(session: Session, options: IndexOptions): Promise<void> {
  const body = await withProgress(session, () =>
    session.call<IngestionReport>('POST /api/knowledge/x/reindex'),
  );
  await session.print(body, indexingText);
  if (options.vectors) await makeVectors(session);
}

async function rebuild(session: Session, options: IndexOptions): Promise<void> {
  const body = await withProgress(session, () =>
    session.call<StatsBody>('POST /api/knowledge/rebuild'),
  );
  await printStats(session, body);
  if (options.vectors) await makeVectors(session);
}

async function withProgress<Body>(session: Session, work: () => Promise<Body>): Promise<Body> {
  const progress = new Progress(session.terminal, 'Reading sources');
  progress.begin();
  try {
    return await work();
  } finally {
    progress.end();
  }
}

function indexingText({ indexed, skipped }: IngestionReport): string {
  const lines = skipped.map(({ sourceFile, reason }) =>
    printableLine(`  skipped ${sourceFile}: ${reason}`),
  );
  return [`${counted(indexed, 'source')} indexed.`, ...lines].join('\n');
}
