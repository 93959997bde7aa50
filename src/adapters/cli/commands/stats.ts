import type { Command } from 'commander';
import type { StatsBody, StatusBody } from '../bodies.js';
import type { Needs } from '../runner.js';
import { type ProjectOptions, type Session, viewOf } from '../session.js';
import type { CommandContext } from './command-context.js';
import { withProjectOptions } from './project-command.js';

const READS: Needs = { access: 'reads', model: 'installed' };

/** `stats`: `GET /api/knowledge/stats`. */
export function declareStats(command: Command, { runner }: CommandContext): void {
  withProjectOptions(command)
    .description('Shows how much of which kind is indexed, and where the database is.')
    .action((options: ProjectOptions) =>
      runner.run(options, READS, async (session) => {
        const body = await session.call<StatsBody>('GET /api/knowledge/stats');
        await printStats(session, body);
      }),
    );
}

/** `status`: `GET /api/knowledge/x/status`. */
export function declareStatus(command: Command, { runner }: CommandContext): void {
  withProjectOptions(command)
    .description('Shows how many chunks have their vector and their questions, and the model.')
    .action((options: ProjectOptions) =>
      runner.run(options, READS, async (session) => {
        const body = await session.call<StatusBody>('GET /api/knowledge/x/status');
        await session.print(body, async () => {
          const { statusText } = await import('../text/stats.js');
          return statusText(body, viewOf(session));
        });
      }),
    );
}

/** Prints what is indexed, as `stats` does. */
export function printStats(session: Session, body: StatsBody): Promise<void> {
  return session.print(body, async () => {
    const { statsText } = await import('../text/stats.js');
    return statsText(body, viewOf(session));
  });
}
