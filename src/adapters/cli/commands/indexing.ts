import { formatCount, formatInteger } from '../../../domain/figures.js';
import type { IngestionReport, SkippedSource, SourceOverview } from '../../../schemas/sources.js';
import { completeVectors, VECTOR_OPTIONS, vectorNeeds } from '../model-readiness.js';
import type { Session } from '../session.js';
import { formatSize, printableLine, projectLine } from '../text/format.js';
import { Progress } from '../text/progress.js';
import { argument, type CommandGroup, type ProjectCommand, printing } from './command.js';
import { statsText, typeCounts } from './status.js';

export const init: ProjectCommand = {
  name: 'init',
  summary: 'prepare a project and its settings file',
  description:
    'Creates settings.json in the application directory. An existing file keeps its contents.',
  examples: ['init', 'init --project ~/projects/shop'],
  needs: { service: 'none', worktrees: 'separate' },
  work: async (session) => {
    const report = await session.operations.writeSettings(session.project.path);
    // Opening the store creates a database in the worktree, which from then on no longer shares that of the main
    // checkout.
    if (await isSharedWorktree(session)) await session.call('GET /api/knowledge/stats');
    await session.print(report, ({ settingsFile, added }) =>
      added ? `${settingsFile} is ready for your settings.` : `${settingsFile} was not changed.`,
    );
    if (session.showsText) session.note('Next: "knowledge-store ingest" indexes the project.');
  },
};

async function isSharedWorktree({ parts, project: { path } }: Session): Promise<boolean> {
  const projects = await parts.projects();
  return projects.own(path) === path && projects.nearest(path) !== path;
}

const indexing = { options: VECTOR_OPTIONS, needs: vectorNeeds };

export const ingest: ProjectCommand = {
  name: 'ingest',
  summary: 'index new and changed files',
  description: 'Indexes new and changed files.',
  examples: ['ingest', 'ingest --project ~/projects/shop --wait'],
  ...indexing,
  work: async (session, given) => {
    const body = await whileReading(session, 'ingest');
    await session.print(body, () => indexingText(session, body));
    session.noteWorktree();
    await completeVectors(session, given);
  },
};

export const rebuild: ProjectCommand = {
  name: 'rebuild',
  summary: 'read all sources again and rebuild the index',
  description: 'Reads all sources again and rebuilds the full-text index. Pruned chunks come back.',
  ...indexing,
  work: async (session, given) => {
    await whileReading(session, 'rebuild');
    const body = await session.call('GET /api/knowledge/stats');
    await session.print(body, () => statsText(body, session));
    await completeVectors(session, given);
  },
};

/** Indexes a project without an index, unless nothing may be created there or its settings leave that to `ingest`. */
export async function indexFirst(session: Session): Promise<void> {
  const { isInitialized, isGit } = session.project;
  if (!(isInitialized || isGit)) return;
  const begun = await session.operations.beginIndexing(session.project.path);
  if (begun === 'started') await whileReading(session, 'ingest');
}

function whileReading(
  { terminal, operations, project }: Session,
  work: 'ingest' | 'rebuild',
): Promise<IngestionReport> {
  const progress = new Progress(terminal, 'Reading sources');
  return progress.during(() =>
    operations[work](project.path, { onProgress: (amount) => progress.show(amount) }),
  );
}

async function indexingText(session: Session, report: IngestionReport): Promise<string> {
  const { indexed, skipped, removed } = report;
  const { path, appDir } = session.project;
  const left = skipped.map(skippedText);
  const found = indexed === 0 ? placesLookedAt(appDir) : [await describeChunks(session)];
  const gone = removed === 0 ? '' : ` ${formatCount(removed, 'source')} removed.`;
  const sum =
    indexed === 0
      ? `Nothing to index was found in ${printableLine(path)}. Looked for:`
      : `${formatCount(indexed, 'source')} indexed.${gone}\n${projectLine(session.project)}`;
  const lines = [...found, ...left].map((line) => `  ${printableLine(line)}`);
  return [sum, ...lines, ...(indexed === 0 ? [FIRST_NOTE] : [])].join('\n');
}

const FIRST_NOTE = 'To begin with a note, run "knowledge-store note add <title> <text>".';

function skippedText({ sourceFile, reason, isRead }: SkippedSource): string {
  return `${isRead ? 'read in part' : 'skipped'} ${sourceFile}: ${reason}`;
}

/** `chunks: 120 reflection, 3 file`. */
async function describeChunks(session: Session): Promise<string> {
  const counts = typeCounts(await session.call('GET /api/knowledge/stats'));
  return `chunks: ${counts.map(([type, count]) => `${formatInteger(count)} ${type}`).join(', ')}`;
}

function placesLookedAt(appDir: string): readonly string[] {
  return [
    '**/*.md, or the includePatterns of settings.json',
    `${appDir}/memory/*.md, ${appDir}/{notes,urls,digests}/*.md, ${appDir}/documents`,
    `${appDir}/features/*/reflection.md and agent-output.md`,
  ];
}

export const sources: CommandGroup = {
  name: 'sources',
  summary: 'list the indexed files, or delete one',
  commands: [
    {
      name: 'list',
      isDefault: true,
      summary: 'list indexed and skipped files (default)',
      fields: ['sourceType'],
      examples: ['sources', 'sources list --type manual'],
      work: printing('GET /api/knowledge/x/sources', sourcesText),
    },
    {
      name: 'delete',
      summary: 'delete the chunks of a file',
      description:
        'Deletes the chunks of a file. If it is a note, web page, digest or document, the file is deleted too; any other file stays, and the next ingest indexes it again.',
      arguments: [argument('<source>', 'sourceFile', 'path of the file, relative to the project')],
      examples: ['sources delete .knowledge/urls/example-org.md'],
      needs: { access: 'searches' },
      work: printing(
        'DELETE /api/knowledge/x/sources',
        ({ deleted, returns }) =>
          `${formatCount(deleted, 'chunk')} deleted.${returns ? ' The file is still there: the next ingest indexes it again.' : ''}`,
      ),
    },
  ],
};

/** The sources of a project as a table, followed by skipped files. */
async function sourcesText({ sources: held, skipped }: SourceOverview, session: Session) {
  const { table, cutPath } = await import('../text/layout.js');
  const titles = [
    { title: 'source', cut: cutPath },
    { title: 'type' },
    { title: 'chunks', align: 'right' },
    { title: 'size', align: 'right' },
    { title: 'retrieved', align: 'right' },
  ] as const;
  const shown = session.view.columns < NARROW ? titles.slice(0, 3) : titles;
  const left = skipped.map((one) => printableLine(skippedText(one)));
  // Programs that read the table need whole paths.
  const columns = session.terminal.isInteractive ? session.view.columns : WHOLE;
  const rows = table(shown, held.map(sourceRow), { ...session.view, columns });
  const all =
    held.length === 0 ? 'Nothing is indexed.' : `${rows}\n\n${formatCount(held.length, 'source')}`;
  return [all, ...left].join('\n');
}

/** On a narrower terminal, only paths, types and counts fit. */
const NARROW = 70;
const WHOLE = 10_000;

function sourceRow(source: SourceOverview['sources'][number]): readonly string[] {
  return [
    printableLine(source.sourceFile),
    printableLine(source.sourceType),
    formatInteger(source.chunks),
    source.bytes === 0 ? '–' : formatSize(source.bytes),
    formatInteger(source.retrievals),
  ];
}
