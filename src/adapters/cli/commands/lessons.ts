import type { LessonsBody, SimilarBody } from '../bodies.js';
import { loadModel } from '../model.js';
import { type ProjectOptions, type Session, viewOf } from '../session.js';
import { printable } from '../text/format.js';
import { type Declare, examples, SEARCHES, withProjectOptions } from './project-command.js';

interface LessonsOptions extends ProjectOptions {
  readonly description?: string;
  readonly feature?: string;
  readonly maxResults?: number;
}

interface SimilarOptions extends ProjectOptions {
  readonly exclude?: string;
  readonly maxResults?: number;
  readonly full?: boolean;
}

/** `lessons`: `POST /api/knowledge/x/lessons`. */
const lessons: Declare = (command, { runner }) => {
  withProjectOptions(command)
    .description('Prints lessons from earlier features as markdown, ready for a prompt.')
    .argument('<title...>', 'title of the feature that is about to begin')
    .option('-d, --description <text>', 'its description', '')
    .option('-f, --feature <id>', 'its folder, whose own chunks are left out')
    .option('-n, --max-results <number>', 'at most this many lessons (default: 5)', Number)
    .addHelpText('after', examples('lessons "Offline sync" -d "Queue writes while offline"'))
    .action((words: readonly string[], options: LessonsOptions) =>
      runner.run(options, SEARCHES, (session) => showLessons(session, words.join(' '), options)),
    );
};

/** `similar`: `POST /api/knowledge/x/similar`. */
const similar: Declare = (command, { runner }) => {
  withProjectOptions(command)
    .description('Finds chunks that are like a text. Does not count as a retrieval.')
    .argument('<text...>', 'the text, or - for standard input; its first 20 words count')
    .option('-x, --exclude <source>', 'leave out the chunks of this source file')
    .option('-n, --max-results <number>', 'at most this many results (default: 5)', Number)
    .option('--full', 'show the whole text of each result')
    .addHelpText('after', examples('similar "retry with backoff"', 'similar - < notes.md'))
    .action((words: readonly string[], options: SimilarOptions) =>
      runner.run(options, SEARCHES, (session) => showSimilar(session, words.join(' '), options)),
    );
};

export const commands = { lessons, similar };

async function showLessons(
  session: Session,
  title: string,
  options: LessonsOptions,
): Promise<void> {
  await loadModel(session);
  const { description, feature: featureId, maxResults } = options;
  const fields = { title, description, featureId, maxResults };
  const body = await session.call<LessonsBody>('POST /api/knowledge/x/lessons', fields);
  await session.print(body, ({ section }) => printable(section));
  if (!session.showsText || body.source !== 'none') return;
  session.note((await session.emptiness()) ?? 'No earlier feature teaches anything about it.');
}

async function showSimilar(
  session: Session,
  words: string,
  options: SimilarOptions,
): Promise<void> {
  const text = words === '-' ? await session.terminal.readInput() : words;
  await loadModel(session);
  const maxResults = options.maxResults ?? (session.showsText ? SHOWN_RESULTS : undefined);
  const fields = { text, sourceFile: options.exclude, maxResults };
  const body = await session.call<SimilarBody>('POST /api/knowledge/x/similar', fields);
  await session.print(body, async ({ results }) => {
    if (results.length === 0) return (await session.emptiness()) ?? 'Nothing similar is known.';
    const { resultsText } = await import('../text/results.js');
    const terms = text.slice(0, 2000).split(/\s+/).slice(0, 20);
    const places = await session.placesOf(results);
    return resultsText(results, { ...viewOf(session), full: options.full, terms, places });
  });
}

const SHOWN_RESULTS = 5;
