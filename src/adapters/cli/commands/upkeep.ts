import type { CompactionReport } from '../../../ports/driving/upkeep-service.js';
import type { PruneBody } from '../bodies.js';
import type { ProjectOptions, Session } from '../session.js';
import { counted, grouped, printableLine } from '../text/format.js';
import { type Declare, examples, WRITES, withProjectOptions } from './project-command.js';

interface PruneOptions extends ProjectOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

interface CompactOptions extends ProjectOptions {
  readonly threshold?: number;
  readonly dryRun?: boolean;
}

/** `prune`: `POST /api/knowledge/x/prune`. */
const prune: Declare = (command, { runner }) => {
  withProjectOptions(command)
    .description(
      'Deletes chunks that were never retrieved and are at least 90 days old. Shows them and asks first; with nobody to ask it deletes nothing unless --yes is given. A rebuild brings them back.',
    )
    .option('--dry-run', 'only show what would be deleted')
    .option('-y, --yes', 'delete without asking')
    .addHelpText('after', examples('prune --dry-run', 'prune --yes'))
    .action((options: PruneOptions) =>
      runner.run(options, WRITES, (session) => deletePruned(session, options)),
    );
};

/** `compact`: `POST /api/knowledge/x/compact`. */
const compact: Declare = (command, { runner }) => {
  withProjectOptions(command)
    .description(
      'Has the small language model summarize a memory category that is longer than the threshold. The old text is kept in memory/.history.',
    )
    .argument('<category>', 'name of the memory file, without .md')
    .option('--threshold <tokens>', 'summarize above this many tokens (default: 50000)', Number)
    .option('--dry-run', 'only show what would be done')
    .addHelpText('after', examples('compact gotchas --dry-run'))
    .action((category: string, options: CompactOptions) =>
      runner.run(options, WRITES, (session) => summarize(session, category, options)),
    );
};

export const commands = { prune, compact };

async function deletePruned(session: Session, options: PruneOptions): Promise<void> {
  const preview = await pruned(session, { dryRun: true });
  const isConfirmed = options.dryRun !== true && (await confirms(session, preview, options));
  const body = isConfirmed ? await pruned(session, {}) : preview;
  await session.print(body, () => pruneText(body, { isConfirmed, ...options }));
  if (!isConfirmed && body.deleted > 0 && options.dryRun !== true) {
    session.note('Nothing was deleted. To delete them, run "knowledge-store prune --yes".');
  }
}

function pruned(session: Session, fields: { readonly dryRun?: true }): Promise<PruneBody> {
  return session.call<PruneBody>('POST /api/knowledge/x/prune', fields);
}

/** Nothing to delete needs no answer. */
async function confirms(
  { terminal }: Session,
  { chunks, deleted }: PruneBody,
  { yes }: PruneOptions,
): Promise<boolean> {
  if (deleted === 0) return false;
  if (yes === true) return true;
  if (!terminal.isInteractive) return false;
  terminal.err(`${chunkLines(chunks).join('\n')}\n`);
  return terminal.confirm(`Delete ${counted(deleted, 'chunk')}?`);
}

function pruneText(
  { deleted, chunks }: PruneBody,
  { isConfirmed }: { readonly isConfirmed: boolean },
): string {
  if (deleted === 0) return 'There is nothing to prune.';
  const what = counted(deleted, 'chunk');
  const sum = isConfirmed ? `${what} deleted.` : `${what} would be deleted.`;
  return [...chunkLines(chunks), sum].join('\n');
}

function chunkLines(chunks: PruneBody['chunks']): readonly string[] {
  return chunks.map(({ id, reason }) => printableLine(`${id}  ${reason}`));
}

async function summarize(
  session: Session,
  category: string,
  { threshold, dryRun }: CompactOptions,
): Promise<void> {
  const fields = { category, threshold, dryRun };
  const body = await session.call<CompactionReport>('POST /api/knowledge/x/compact', fields);
  await session.print(body, () => {
    const { compacted, reason, tokensBefore, tokensAfter } = body;
    const size = `${grouped(tokensBefore)} → ${grouped(tokensAfter)} tokens`;
    return compacted ? `${printableLine(reason)} ${size}` : printableLine(reason);
  });
}
