import type { StaleBody } from '../bodies.js';
import type { ProjectOptions, Session } from '../session.js';
import { citationSentences } from '../text/citations.js';
import { counted, printableLine } from '../text/format.js';
import { type Declare, examples, READS, withProjectOptions } from './project-command.js';

/** `stale`: `GET /api/knowledge/x/stale`. */
const stale: Declare = (command, { runner }) => {
  withProjectOptions(command)
    .description(
      'Lists the chunks that cite files which have changed or are gone since they were written.',
    )
    .addHelpText('after', examples('stale', 'stale --json'))
    .action((options: ProjectOptions) =>
      runner.run(options, READS, async (session) => {
        const body = await session.call<StaleBody>('GET /api/knowledge/x/stale');
        await session.print(body, () => staleText(session, body));
      }),
    );
};

export const commands = { stale };

/** Each chunk where it is, with what has become of what it cites. */
async function staleText(session: Session, { chunks }: StaleBody): Promise<string> {
  if (chunks.length === 0) return 'Everything that is known still holds, as far as it cites files.';
  const places = await session.placesOf(chunks.map((chunk) => ({ chunk })));
  const entries = chunks.map((chunk, i) => {
    const heading = chunk.heading === undefined ? '' : ` › ${printableLine(chunk.heading)}`;
    const sentences = citationSentences(chunk).map((sentence) => `   ${sentence}`);
    return [`${session.styles.name(places[i] ?? chunk.id)}${heading}`, ...sentences].join('\n');
  });
  return [...entries, counted(chunks.length, 'stale chunk')].join('\n\n');
}
