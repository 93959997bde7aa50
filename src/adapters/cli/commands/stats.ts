import type { VectorStatus } from '../../../domain/stats.js';
import type { StaleBody, StatsBody, StatusBody } from '../bodies.js';
import { type ProjectOptions, type Session, viewOf } from '../session.js';
import { counted, grouped, printableLine, sized } from '../text/format.js';
import { type Declare, READS, withProjectOptions } from './project-command.js';

const NEEDS = { ...READS, model: 'installed' } as const;

/** `stats`: `GET /api/knowledge/stats`. */
const stats: Declare = (command, { runner }) => {
  withProjectOptions(command)
    .description('Shows how much of which kind is indexed, and where the database is.')
    .action((options: ProjectOptions) =>
      runner.run(options, NEEDS, async (session) => {
        const body = await session.call<StatsBody>('GET /api/knowledge/stats');
        await printStats(session, body);
      }),
    );
};

/** `status`: `GET /api/knowledge/x/status`. */
const status: Declare = (command, { runner }) => {
  withProjectOptions(command)
    .description('Shows how many chunks have their vector and their questions, and the model.')
    .action((options: ProjectOptions) =>
      runner.run(options, NEEDS, async (session) => {
        const body = await session.call<StatusBody>('GET /api/knowledge/x/status');
        await session.print(body, async () => {
          const stale = await session.call<StaleBody>('GET /api/knowledge/x/stale');
          return statusText(session, body, stale.chunks.length);
        });
      }),
    );
};

export const commands = { stats, status };

/** Prints what is indexed, as `stats` does. */
export function printStats(session: Session, body: StatsBody): Promise<void> {
  return session.print(body, () => statsText(session, body));
}

async function statsText(session: Session, body: StatsBody): Promise<string> {
  const { table } = await import('../text/layout.js');
  const { styles, columns } = viewOf(session);
  const chunks = counted(body.totalChunks, 'chunk');
  const head = `${chunks} of ${counted(body.uniqueSources, 'source')}, ${sized(body.totalSizeBytes)}`;
  const rows = Object.entries(body.sourceTypeBreakdown)
    .filter(([, count]) => count > 0)
    .map(([type, count]) => [type, grouped(count)]);
  const types = table([{ title: 'source type' }, { title: 'chunks', align: 'right' }], rows, {
    width: columns,
    title: styles.dim,
  });
  const ends = [
    ...(body.lastUpdated === undefined ? [] : [`updated   ${body.lastUpdated}`]),
    `database  ${printableLine(body.dbPath)}`,
  ];
  return [styles.bold(head), ...(rows.length === 0 ? [] : [types]), ends.join('\n')].join('\n\n');
}

async function statusText(session: Session, body: StatusBody, stale: number): Promise<string> {
  const { table } = await import('../text/layout.js');
  const { styles, columns } = viewOf(session);
  const { path, appDir, isInitialized } = session.project;
  const progress = table(
    [{ title: '' }, { title: 'chunks done', align: 'right' }, { title: 'waiting', align: 'right' }],
    [rowOf('vectors', body.embeddings), rowOf('questions', body.hype)],
    { width: columns, title: styles.dim },
  );
  const missing = isInitialized ? '' : ' (not there yet: nothing is indexed)';
  return [
    `project    ${printableLine(path)}`,
    `folder     ${printableLine(appDir)}${missing}`,
    `model      ${printableLine(body.model.name)} (${MODEL_STATES[body.model.state]})`,
    `stale      ${stale === 0 ? 'nothing' : `${counted(stale, 'chunk')}; "knowledge-store stale" lists them`}`,
    '',
    progress,
  ].join('\n');
}

function rowOf(name: string, { complete, pending }: VectorStatus): readonly string[] {
  return [name, grouped(complete), grouped(pending)];
}

const MODEL_STATES: Readonly<Record<StatusBody['model']['state'], string>> = {
  absent: 'not downloaded yet; "knowledge-store ingest" downloads it',
  idle: 'loaded when it is needed',
  loading: 'being loaded',
  ready: 'ready',
  failed: 'could not be loaded',
};
