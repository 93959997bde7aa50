import type { Command } from 'commander';
import type { IngestionReport } from '../../../ports/driving/ingestion-service.js';
import type { SourceOverview } from '../../../ports/driving/sources-service.js';
import type { StatsBody } from '../bodies.js';
import type { Operations } from '../command-line-parts.js';
import { makeVectors } from '../model.js';
import type { Needs } from '../runner.js';
import type { ProjectOptions, Session } from '../session.js';
import { counted, grouped, printableLine } from '../text/format.js';
import { Progress } from '../text/progress.js';
import { type Declare, examples, withProjectOptions } from './project-command.js';
import { printStats } from './stats.js';

interface IndexOptions extends ProjectOptions {
  readonly vectors: boolean;
}

/** `ingest`: `POST /api/knowledge/x/reindex`. */
const ingest: Declare = (command, { runner }) => {
  withIndexOptions(command)
    .description('Reads the sources of the project and indexes what is new or changed.')
    .addHelpText('after', examples('ingest', 'ingest --project ~/projects/shop --no-vectors'))
    .action((options: IndexOptions) =>
      runner.run(options, needsOf(options), (session) => indexChanges(session, options)),
    );
};

/** `rebuild`: `POST /api/knowledge/rebuild`. */
const rebuild: Declare = (command, { runner }) => {
  withIndexOptions(command)
    .description(
      'Reads all sources again and rebuilds the full-text index. Pruned chunks come back.',
    )
    .action((options: IndexOptions) =>
      runner.run(options, needsOf(options), (session) => indexAgain(session, options)),
    );
};

export const commands = { ingest, rebuild };

function withIndexOptions(command: Command): Command {
  return withProjectOptions(command).option(
    '--no-vectors',
    'do not wait for vectors; a running service or the next command makes them',
  );
}

function needsOf({ vectors }: IndexOptions): Needs {
  return { access: 'writes', model: vectors ? 'downloaded' : 'unused' };
}

async function indexChanges(session: Session, options: IndexOptions): Promise<void> {
  const body = await whileReading(session, 'ingest');
  await session.print(body, () => indexingText(session, body));
  if (options.vectors) await makeVectors(session);
}

async function indexAgain(session: Session, options: IndexOptions): Promise<void> {
  await whileReading(session, 'rebuild');
  await printStats(session, await session.call<StatsBody>('GET /api/knowledge/stats'));
  if (options.vectors) await makeVectors(session);
}

async function whileReading<Work extends 'ingest' | 'rebuild'>(
  { terminal, operations, project }: Session,
  work: Work,
): Promise<Awaited<ReturnType<Operations[Work]>>> {
  const progress = new Progress(terminal, 'Reading sources');
  progress.begin();
  try {
    const done = operations[work](project.path, (amount) => progress.show(amount));
    return (await done) as Awaited<ReturnType<Operations[Work]>>;
  } finally {
    progress.end();
  }
}

async function indexingText(session: Session, report: IngestionReport): Promise<string> {
  const { indexed, skipped, removed } = report;
  const { path, appDir } = session.project;
  const left = skipped.map(
    ({ sourceFile, reason }) => `  ${printableLine(`skipped ${sourceFile}: ${reason}`)}`,
  );
  if (indexed === 0) return [...lookedFor(path, appDir), ...left].join('\n');
  const gone = removed === 0 ? '' : ` ${counted(removed, 'source')} removed.`;
  const types = await typesIn(session);
  return [
    `${counted(indexed, 'source')} indexed.${gone}`,
    `  project ${printableLine(path)}, folder ${printableLine(appDir)}`,
    ...(types === '' ? [] : [`  ${types}`]),
    ...left,
  ].join('\n');
}

/** `12 reflections, 3 files`. */
async function typesIn(session: Session): Promise<string> {
  const { sources } = await session.call<SourceOverview>('GET /api/knowledge/x/sources');
  const counts = new Map<string, number>();
  for (const { sourceType } of sources) counts.set(sourceType, (counts.get(sourceType) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${grouped(count)} × ${type}`).join(', ');
}

function lookedFor(path: string, appDir: string): readonly string[] {
  return [
    printableLine(`Nothing to index was found in ${path}. Looked for:`),
    `  ${appDir}/features/*/reflection.md and agent-output.md`,
    `  ${appDir}/memory/*.md, ${appDir}/{notes,urls,digests}/*.md`,
    '  **/*.md, or what includePatterns of settings.json says; hidden folders, node_modules, build',
    '  folders and what git ignores are left out',
  ];
}
