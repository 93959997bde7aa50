import { estimateTokens, tokenCost } from '../../../domain/chunks/tokens.js';
import { lessonsSection } from '../../../domain/lessons/lessons-section.js';
import { DEFAULT_RELEVANCE_FLOOR } from '../../../domain/limits.js';
import { readPlain } from '../../../domain/query/query.js';
import { relevanceTo } from '../../../domain/ranking/relevance.js';
import type { SearchBody } from '../bodies.js';
import { gitTask } from '../git-task.js';
import { loadModel } from '../model.js';
import type { ProjectOptions, Session } from '../session.js';
import { printable } from '../text/format.js';
import { type Declare, examples, SEARCHES, WRITES } from './project-command.js';

interface StartOptions extends ProjectOptions {
  readonly task?: string;
}

/** `session-start`: what an agent should know when it begins. */
const start: Declare = (command, { runner }) => {
  command
    .description(
      'Prints what is known about a task, in at most 1,500 tokens; nothing at all if nothing seems relevant. For the hooks of agents.',
    )
    .option('-p, --project <directory>', 'the project; default: found from the working directory')
    .option('--task <text>', 'the task; default: the git branch and the subject of its last commit')
    .addHelpText('after', examples('session-start', 'session-start --task "retry failed uploads"'))
    .action((options: StartOptions) =>
      runner.run(options, { ...SEARCHES, logLevel: 'error' }, (session) => begin(session, options)),
    );
};

/** `session-end`: what was written meanwhile is indexed. */
const end: Declare = (command, { runner }) => {
  command
    .description('Indexes what was written in a session; prints nothing. For the hooks of agents.')
    .option('-p, --project <directory>', 'the project; default: found from the working directory')
    .addHelpText('after', examples('session-end'))
    .action((options: ProjectOptions) =>
      runner.run(options, { ...WRITES, logLevel: 'error' }, async (session) => {
        const { isInitialized, path } = session.project;
        if (isInitialized) await session.operations.ingest(path, () => undefined);
      }),
    );
};

export const commands = { 'session-start': start, 'session-end': end };

async function begin(session: Session, { task }: StartOptions): Promise<void> {
  const { isInitialized, path } = session.project;
  const query = plain(task ?? gitTask(path));
  if (!isInitialized || query === '') return;
  await loadModel(session);
  const { results, retrieval_mode: mode } = await session.call<SearchBody>(
    'POST /api/knowledge/search',
    { query, ...LIMITS, candidates: 'union', minRelevance: DEFAULT_RELEVANCE_FLOOR },
  );
  const relevant = mode === 'hybrid' ? results : results.filter(isRelevantTo(query));
  const text = sectionWithin(LIMITS.maxTokens, relevant);
  if (text !== '') session.terminal.out(`${printable(text).trimEnd()}\n`);
}

const LIMITS = { maxResults: 5, maxTokens: 1500 };

/** A task is never an expression. */
function plain(task: string): string {
  return task
    .replace(/["()*]/g, ' ')
    .toLowerCase()
    .trim();
}

type Result = SearchBody['results'][number];

/** Where no vectors were compared, the words in common say how relevant a result is. */
function isRelevantTo(query: string): (result: Result) => boolean {
  const relevanceOf = relevanceTo(readPlain(query));
  return ({ chunk }) => relevanceOf({ chunk }) >= DEFAULT_RELEVANCE_FLOOR;
}

/** As many of the results as fit, with their headings and fences. */
function sectionWithin(tokens: number, results: readonly Result[]): string {
  const section = lessonsSection(results.map(({ chunk }) => chunk));
  const cost = Math.max(tokenCost(section), estimateTokens(section));
  return cost <= tokens ? section : sectionWithin(tokens, results.slice(0, -1));
}
