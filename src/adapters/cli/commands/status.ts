import { formatCount, formatInteger } from '../../../domain/figures.js';
import type { Stats, VectorStatus } from '../../../domain/overview/stats.js';
import type { SkippedSource } from '../../../schemas/sources.js';
import type { StatusBody } from '../bodies.js';
import { downloadModel } from '../model-readiness.js';
import type { Session } from '../session.js';
import { formatSize, printableLine } from '../text/format.js';
import { type ProjectCommand, printing } from './command.js';

const NEEDS = { model: 'installed', service: 'running' } as const;

export async function statsText(body: Stats, session: Session): Promise<string> {
  const { table } = await import('../text/layout.js');
  const sources = formatCount(body.uniqueSources, 'source');
  const head = `${formatCount(body.totalChunks, 'chunk')} of ${sources}, ${formatSize(body.totalSizeBytes)}`;
  const rows = typeCounts(body).map(([type, count]) => [type, formatInteger(count)]);
  const titles = [{ title: 'source type' }, { title: 'chunks', align: 'right' }] as const;
  const updated = body.lastUpdated === undefined ? '' : `updated   ${body.lastUpdated}\n`;
  return [
    session.styles.bold(head),
    ...(rows.length === 0 ? [] : [table(titles, rows, session.view)]),
    `${updated}database  ${printableLine(body.dbPath)}`,
  ].join('\n\n');
}

/**
 * Returns the chunk counts of the source types that occur. The hybrid variant counts web pages only in the total, so
 * their number is the difference.
 */
export function typeCounts({ totalChunks, sourceTypeBreakdown }: Stats) {
  const listed = Object.entries(sourceTypeBreakdown);
  const sum = listed.reduce((total, [, count]) => total + count, 0);
  const counts: readonly (readonly [type: string, count: number])[] = [
    ...listed,
    ['url', totalChunks - sum],
  ];
  return counts.filter(([, count]) => count > 0);
}

export const status: ProjectCommand = {
  name: 'status',
  summary: 'show the model, and the progress of indexing',
  needs: NEEDS,
  work: async (session, given) => {
    await printing('GET /api/knowledge/x/status', statusText)(session, given);
    session.noteWorktree();
  },
};

async function statusText(body: StatusBody, session: Session): Promise<string> {
  const { table } = await import('../text/layout.js');
  const { chunks } = await session.call('GET /api/knowledge/x/stale');
  const { path, appDir, isInitialized } = session.project;
  const skipped = await session.operations.skipped(path);
  const titles = [
    { title: '' },
    { title: 'chunks done', align: 'right' },
    { title: 'waiting', align: 'right' },
  ] as const;
  const asksQuestions = body.hype.complete > 0 || (await session.operations.hasLanguageModel());
  const rows = [
    progressRow('vectors', body.embeddings),
    ...(asksQuestions ? [progressRow('questions', body.hype)] : []),
  ];
  const stale = formatCount(chunks.length, 'chunk');
  return [
    `project    ${printableLine(path)}`,
    `folder     ${printableLine(appDir)}${isInitialized ? '' : ' (no index yet)'}`,
    ...(body.indexing
      ? ['indexing   for the first time; results are incomplete until it is done']
      : []),
    `model      ${printableLine(body.model.name)} (${MODEL_STATES[body.model.state]}${runtimeText(body.model)})`,
    ...(await vectorLines(body, session)),
    serviceLine(session),
    ...(asksQuestions ? [] : ['questions  off (no language model is configured)']),
    `stale      ${chunks.length === 0 ? 'none' : `${stale}; "knowledge-store stale" lists them`}`,
    ...(body.expired === undefined ? [] : [`expired    ${expiredText(body.expired)}`]),
    `not read   ${skippedText(skipped)}`,
    '',
    table(titles, rows, session.view),
  ].join('\n');
}

/** Lists expired notes, which searches leave out. */
function expiredText(sourceFiles: readonly string[]): string {
  const shown = sourceFiles.slice(0, SHOWN_NOTES).map(printableLine).join(', ');
  const others = sourceFiles.length - SHOWN_NOTES;
  const more = others > 0 ? `, and ${others} more` : '';
  return `${shown}${more}; searches leave them out`;
}

const SHOWN_NOTES = 5;

/** `2, and 1 in part`. */
function skippedText(skipped: readonly SkippedSource[]): string {
  if (skipped.length === 0) return 'nothing';
  const inPart = skipped.filter(({ isRead }) => isRead).length;
  const notRead = skipped.length - inPart;
  const counts = [
    ...(notRead > 0 ? [`${notRead}`] : []),
    ...(inPart > 0 ? [`${inPart} in part`] : []),
  ];
  return `${counts.join(', and ')}; "knowledge-store sources" lists them with the reasons`;
}

/** Says why the model is not usable, or whether missing vectors are being made. */
async function vectorLines(
  { embeddings: { pending }, embedding, model }: StatusBody,
  { operations }: Session,
): Promise<readonly string[]> {
  if (model.state === 'absent' || model.state === 'failed') {
    const { failure = '' } = await operations.modelStatus();
    return failure.split('\n').map((line) => `           ${printableLine(line)}`);
  }
  if (pending === 0) return [];
  return embedding === 'running'
    ? ['vectors    in progress']
    : [`vectors    ${formatInteger(pending)} missing; run "knowledge-store ingest"`];
}

/** Shows the local service, which keeps running after a command has ended. */
function serviceLine({ operations: { service } }: Session): string {
  return service === undefined
    ? 'service    not running'
    : `service    process ${service.pid} (log: ${printableLine(service.log)})`;
}

function progressRow(name: string, { complete, pending }: VectorStatus): readonly string[] {
  return [name, formatInteger(complete), formatInteger(pending)];
}

function runtimeText({ runtime }: StatusBody['model']): string {
  return runtime === undefined ? '' : `; ${RUNTIMES[runtime]}`;
}

const RUNTIMES = {
  wasm: 'in WebAssembly',
  native: 'by onnxruntime-node',
  endpoint: 'at an endpoint',
} as const;

const MODEL_STATES: Readonly<Record<StatusBody['model']['state'], string>> = {
  absent: 'not installed',
  idle: 'loaded when needed',
  loading: 'being loaded',
  ready: 'ready',
  failed: 'could not be loaded',
};

export const models: ProjectCommand = {
  name: 'models',
  summary: 'show the embedding model, or download it',
  description:
    'Shows the model that KNOWLEDGE_MODEL names. "pull" downloads it to DATA_DIR/models unless it is already installed, and tests it.',
  arguments: [
    {
      flags: '[action]',
      field: 'action',
      help: 'list (default) shows it, pull downloads it',
      choices: ['list', 'pull'],
    },
  ],
  examples: ['models list', 'models pull'],
  // Logs no warnings, because the command reports failures itself.
  needs: ({ action }) => ({
    access: 'nothing',
    service: 'none',
    model: action === 'pull' ? 'downloaded' : 'unused',
    logLevel: 'error',
  }),
  work: async (session, { action }) => {
    if (action === 'pull') await downloadModel(session);
    const model = await session.operations.installedModel();
    await session.print(model, ({ name, bytes, directory, faster }) => {
      const size = `in ${directory} (${formatSize(bytes)})`;
      if (action === 'pull') return printableLine(`${name} is ready ${size}.`);
      const line =
        bytes === 0
          ? `${name} is not in ${directory}; "knowledge-store models pull" downloads it.`
          : `${name} is ${size}.`;
      return [printableLine(line), ...(faster === undefined ? [] : [FASTER[faster]])].join('\n');
    });
  },
};

/** Hints on how to embed faster on this machine. */
const FASTER = {
  installed:
    'To make vectors about five times as fast, set KNOWLEDGE_RUNTIME=auto; onnxruntime-node is installed.',
  installable:
    'To make vectors about five times as fast, run "npm install --global onnxruntime-node" and set KNOWLEDGE_RUNTIME=auto.',
} as const;
