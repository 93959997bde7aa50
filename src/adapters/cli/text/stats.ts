import type { VectorStatus } from '../../../domain/stats.js';
import type { StatsBody, StatusBody } from '../bodies.js';
import { table } from './layout.js';
import { counted, grouped, sized } from './numbers.js';
import { printableLine } from './printable.js';
import type { Styles } from './styles.js';

export interface StatsView {
  readonly styles: Styles;
  readonly columns: number;
}

/** What is indexed of a project. */
export function statsText(stats: StatsBody, { styles, columns }: StatsView): string {
  const chunks = counted(stats.totalChunks, 'chunk');
  const head = `${chunks} of ${counted(stats.uniqueSources, 'source')}, ${sized(stats.totalSizeBytes)}`;
  const rows = Object.entries(stats.sourceTypeBreakdown)
    .filter(([, count]) => count > 0)
    .map(([type, count]) => [type, grouped(count)]);
  const types = table([{ title: 'source type' }, { title: 'chunks', align: 'right' }], rows, {
    width: columns,
    title: styles.dim,
  });
  return [
    styles.bold(head),
    ...(rows.length === 0 ? [] : [types]),
    [
      ...(stats.lastUpdated === undefined ? [] : [`updated   ${stats.lastUpdated}`]),
      `database  ${printableLine(stats.dbPath)}`,
    ].join('\n'),
  ].join('\n\n');
}

/** How far the background work on a project is. */
export function statusText({ embeddings, hype, model }: StatusBody, view: StatsView): string {
  const rows = [rowOf('vectors', embeddings), rowOf('questions', hype)];
  const progress = table(
    [{ title: '' }, { title: 'chunks done', align: 'right' }, { title: 'waiting', align: 'right' }],
    rows,
    { width: view.columns, title: view.styles.dim },
  );
  return `${progress}\n\nmodel      ${printableLine(model.name)} (${MODEL_STATES[model.state]})`;
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
