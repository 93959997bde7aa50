import { eventually } from '../../test/support/running-service.js';
import {
  type Client,
  type FoundChunk,
  okBody,
  startClient,
} from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import { on, RENUMBERED, WAYS } from './database-copies.js';
import type { FaultFamily } from './family.js';
import { AcknowledgementLog } from './generations.js';
import { copyOf } from './projects.js';
import { tinyModelEnvironment } from './tiny-model-environment.js';

const FEATURES = 10;
const LOADED = { withinMs: 60_000 };
const QUERIES = ['apple', 'f3s2', '"disk engine"', 'generation2'];

/** F21: a database that another program has vacuumed, or dumped and restored, in use and while closed. */
export const copiedDatabases: FaultFamily = {
  name: 'F21',
  title: 'VACUUM, dump and restore by other programs',
  defaultRounds: Object.keys(WAYS).length * 2,
  async run({ rounds }) {
    const environment = await tinyModelEnvironment();
    const template = await embeddedTemplate(environment);
    const wrong: string[] = [];
    const ways = Object.entries(WAYS);
    for (let round = 0; round < rounds; round += 1) {
      const [name, change] = ways[round % ways.length] as (typeof ways)[number];
      const isOpen = round >= ways.length;
      const isExact = name !== RENUMBERED;
      const found = await observed(template, environment, { change, isOpen, isExact });
      wrong.push(...found.map((each) => `${name}, ${isOpen ? 'in use' : 'closed'}: ${each}`));
    }
    template.remove();
    return { rounds, acknowledged: rounds, lost: 0, wrong, notes: [] };
  },
  /** A copy in which a chunk has another text. */
  async negativeControl() {
    const environment = await tinyModelEnvironment();
    const template = await embeddedTemplate(environment);
    const found = await observed(template, environment, {
      change: (path) => on(path, (db) => db.exec("DELETE FROM chunks WHERE content LIKE '%f3s2%'")),
      isOpen: false,
    });
    template.remove();
    return found;
  },
};

interface Change {
  readonly change: (path: string) => void;
  /** Whether the service has the database open meanwhile. */
  readonly isOpen: boolean;
  /** Whether searches find the same before a rebuild, too. */
  readonly isExact?: boolean;
}

/** The same searches find the same chunks afterwards, by keyword and by vector. */
async function observed(
  template: TempProject,
  environment: Readonly<Record<string, string>>,
  { change, isOpen, isExact = true }: Change,
): Promise<readonly string[]> {
  const project = copyOf(template);
  let client = await startClient('hybrid', environment);
  const expected = await answersOf(client, project);
  if (!isOpen) await client.service.stop();
  change(project.database);
  if (!isOpen) client = await startClient('hybrid', environment);
  const atOnce = isExact ? await answersOf(client, project) : expected;
  const wrong = differences(expected, atOnce).map((each) => `at once ${each}`);
  okBody(await client.rebuild(project));
  wrong.push(
    ...differences(expected, await answersOf(client, project)).map(
      (each) => `after a rebuild ${each}`,
    ),
  );
  await client.service.stop();
  wrong.push(...problemsIn(project.database, { project: project.path }));
  project.remove();
  return wrong;
}

type Answers = ReadonlyMap<string, readonly string[]>;

/** The ids that each query finds, and their texts. */
async function answersOf(client: Client, project: TempProject): Promise<Answers> {
  const answers = new Map<string, readonly string[]>();
  for (const candidates of ['keyword', 'union']) {
    for (const query of QUERIES) {
      // A busy machine may be too slow for the vector of a query.
      const { results } = await eventually(async () => {
        const body = okBody(await client.search(project, query, { candidates, maxResults: 50 }));
        const isRanked = body.retrieval_mode === 'hybrid' || body.results.length === 0;
        return isRanked ? body : undefined;
      }, LOADED);
      const found = (results as readonly FoundChunk[]).map(
        ({ chunk }) => `${chunk.id}: ${chunk.content.slice(0, 30)}`,
      );
      answers.set(`${candidates} ${query}`, found.toSorted());
    }
  }
  return answers;
}

function differences(expected: Answers, found: Answers): readonly string[] {
  return [...expected].flatMap(([query, chunks]) => {
    const now = found.get(query) ?? [];
    const missing = chunks.filter((chunk) => !now.includes(chunk));
    const other = now.filter((chunk) => !chunks.includes(chunk));
    return missing.length + other.length === 0
      ? []
      : [
          `${query} does not find ${missing.join(', ') || 'less'}, but ${other.join(', ') || 'no more'}`,
        ];
  });
}

async function embeddedTemplate(
  environment: Readonly<Record<string, string>>,
): Promise<TempProject> {
  const template = new TempProject();
  const log = new AcknowledgementLog();
  for (let index = 0; index < FEATURES; index += 1) log.write(template, `f${index}`);
  const client = await startClient('hybrid', environment);
  okBody(await client.rebuild(template));
  // Gaps between rows, so that a copy can number them in another way.
  for (let index = 0; index < FEATURES; index += 2) log.write(template, `f${index}`);
  okBody(await client.rebuild(template));
  const isEmbedded = async () => okBody(await client.status(template)).embeddings.pending === 0;
  await eventually(isEmbedded, { withinMs: 60_000 });
  await client.service.stop();
  return template;
}
