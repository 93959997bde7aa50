import { resolve } from 'node:path';
import { formatCount, formatInteger } from '../../../domain/figures.js';
import { storeVerdict, wrongSettings } from '../../../domain/upkeep/verdict.js';
import type { Diagnosis } from '../../../schemas/upkeep.js';
import type { PruneBody } from '../bodies.js';
import type { Fields } from '../command-line-parts.js';
import { completeVectors, VECTOR_OPTIONS, vectorNeeds } from '../model-readiness.js';
import type { Session } from '../session.js';
import { printableLine, projectLine } from '../text/format.js';
import { argument, type PlainCommand, type ProjectCommand, printing } from './command.js';

export const prune: ProjectCommand = {
  name: 'prune',
  summary: 'delete chunks that no search has returned',
  description:
    'Deletes chunks that were never retrieved and are at least 90 days old. Shows them and asks first; scripts need --yes. A rebuild restores them.',
  fields: ['dryRun'],
  options: [['-y, --yes', 'delete without asking']],
  examples: ['prune --dry-run', 'prune --yes'],
  work: async (session, { dryRun, yes }) => {
    const preview = await pruneChunks(session, { dryRun: true });
    const isWanted = preview.deleted > 0 && dryRun !== true;
    const isConfirmed = isWanted && (yes === true || (await confirms(session, preview)));
    const body = isConfirmed ? await pruneChunks(session, {}) : preview;
    await session.print(body, () => pruneText(body, isConfirmed ? 'deleted' : 'would be deleted'));
    if (isWanted && !isConfirmed) {
      throw new Error(
        'Nothing was deleted; to delete these chunks, run "knowledge-store prune --yes".',
      );
    }
  },
};

function pruneChunks(session: Session, fields: Fields): Promise<PruneBody> {
  return session.call('POST /api/knowledge/x/prune', fields);
}

async function confirms({ terminal }: Session, { chunks, deleted }: PruneBody): Promise<boolean> {
  if (!terminal.isInteractive) return false;
  terminal.err(`${chunkLines(chunks).join('\n')}\n`);
  return terminal.confirm(`Delete ${formatCount(deleted, 'chunk')}?`);
}

function pruneText({ deleted, chunks }: PruneBody, outcome: string): string {
  if (deleted === 0) return 'There is nothing to prune.';
  return [...chunkLines(chunks), `${formatCount(deleted, 'chunk')} ${outcome}.`].join('\n');
}

function chunkLines(chunks: PruneBody['chunks']): readonly string[] {
  return chunks.map(({ id, reason }) => printableLine(`${id}  ${reason}`));
}

export const compact: ProjectCommand = {
  name: 'compact',
  summary: 'summarize a long memory file',
  description:
    'Summarizes a memory category that is longer than the threshold, with the small language model. The old text is kept in memory/.history.',
  arguments: [argument('<category>', 'category', 'name of the memory file, without .md')],
  fields: ['threshold', 'dryRun'],
  examples: ['compact gotchas --dry-run'],
  needs: { access: 'searches' },
  work: printing('POST /api/knowledge/x/compact', (body) => {
    const { compacted, reason, tokensBefore, tokensAfter } = body;
    const size = ` ${formatInteger(tokensBefore)} → ${formatInteger(tokensAfter)} tokens`;
    return `${printableLine(reason)}${compacted ? size : ''}`;
  }),
};

export const doctor: ProjectCommand = {
  name: 'doctor',
  summary: 'check the store, and repair it if asked',
  description:
    'Checks the store and lists missing data and skipped files. Exits with 1 if a problem remains.',
  fields: ['repair'],
  examples: ['doctor', 'doctor --repair'],
  // A repair may read the sources of a damaged store again. No download is needed for that: missing vectors are made
  // later.
  needs: { model: 'installed' },
  work: async (session, given) => {
    const body = await session.call('POST /api/knowledge/x/doctor', given);
    const { deadEntries } = await import('../dead-entries.js');
    const dead = deadEntries(session.project.path, session.parts.program);
    await session.print(body, () => {
      return `${diagnosisText(body, dead)}\n${projectLine(session.project)}`;
    });
    if (!body.ok) {
      const next = given['repair'] === true ? NEEDS_ATTENTION : NEEDS_REPAIR;
      throw new Error(next);
    }
    const others = [...wrongSettings(body.findings).map(({ sentence }) => sentence), ...dead];
    if (others.length > 0) throw new Error(session.showsText ? NEEDS_ATTENTION : others.join(' '));
  },
};

const NEEDS_ATTENTION = 'These problems need your attention; see the list above.';
const NEEDS_REPAIR =
  'The store has problems; to repair them, run "knowledge-store doctor --repair".';

export function diagnosisText({ ok, findings }: Diagnosis, dead: readonly string[]): string {
  const lines = findings.map(
    ({ sentence, repaired }) => `${repaired ? 'repaired: ' : '- '}${sentence}`,
  );
  const entries = dead.map((one) => `- ${one}`);
  const hasNoStore = findings.some(({ code }) => code === 'no_store');
  const isSound = ok && !hasNoStore;
  return [
    ...lines,
    ...entries,
    ...(hasNoStore ? ['Run "knowledge-store ingest".'] : []),
    ...(isSound ? [storeVerdict({ ok, findings })] : []),
  ]
    .map((item) => item.split('\n').map(printableLine).join('\n  '))
    .join('\n');
}

export const importDatabase: ProjectCommand = {
  name: 'import',
  summary: 'add the contents of another database',
  description:
    'Adds the chunks, vectors, questions and counts of a knowledge.db, or of any database with the same tables, to the store of the project. Chunks that it already has with other text stay as they are.',
  arguments: [argument('<database>', 'path', 'the file')],
  examples: ['import /mnt/old/shop/.knowledge/knowledge.db'],
  options: VECTOR_OPTIONS,
  needs: vectorNeeds,
  work: async (session, given) => {
    const path = resolve(session.directory, String(given['path']));
    const body = await session.call('POST /api/knowledge/x/import', { path });
    await session.print(
      body,
      ({ chunks, vectors, questions, skipped }) =>
        `Added ${formatCount(chunks, 'chunk')}, ${formatCount(vectors, 'vector')} and the questions of ${formatCount(questions, 'chunk')}; left out ${formatCount(skipped, 'chunk')}.`,
    );
    await completeVectors(session, given);
  },
};

export const uninstall: PlainCommand = {
  name: 'uninstall',
  summary: 'remove agent entries and the data of this program',
  description:
    "Stops the local services, removes this project's agent entries and hooks, and deletes this program's files in your data folder except user notes. Lists everything first. Project folders stay.",
  fields: ['projectPath'],
  options: [
    ['--purge', 'also remove user notes'],
    ['-y, --yes', 'remove without asking'],
  ],
  examples: ['uninstall', 'uninstall --purge --yes'],
  run: async (parts, { projectPath, purge, yes }) => {
    const { removeOurs } = await import('../removal.js');
    await removeOurs(parts, { projectPath, withNotes: purge === true, isConfirmed: yes === true });
  },
};
