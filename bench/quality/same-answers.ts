/**
 * Plays a first day with PostgreSQL: starts a server and services on it and on SQLite, indexes a copy of a project with
 * both, and compares their results for the titles of its features, in both variants and profiles.
 *
 *   npm run build && KNOWLEDGE_TEST_POSTGRES_BIN=$(scripts/get-postgres.sh) npx tsx bench/quality/same-answers.ts <project>
 */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PostgresServer } from '../../test/support/postgres-server.js';
import { SERVER_BIN } from '../../test/support/postgres-under-test.js';
import {
  type Client,
  okBody,
  startClient,
  type TestedVariant,
} from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { tinyModelEnvironment } from '../faults/tiny-model-environment.js';

const [source = '', appDir = '.automaker'] = process.argv.slice(2);
/** The scores of `/x/search` contain cosines, whose last digits depend on the texts embedded along with a text. */
const COMPARED = [
  ['search-only', '/search', 1e-6],
  ['hybrid', '/search', 1e-6],
  ['hybrid', '/x/search', 1e-4],
] as const satisfies readonly (readonly [TestedVariant, string, number])[];
const environment = await tinyModelEnvironment();

const server = await PostgresServer.create(SERVER_BIN, 'kept');
const say = (line: string) => console.log(line);
try {
  say(`$ KNOWLEDGE_STORE=${server.url} npm start`);
  for (const [variant, route, tolerance] of COMPARED) {
    const [sqlite, postgres] = [
      await answersOf('sqlite', variant, route),
      await answersOf(server.url, variant, route),
    ];
    const different = sqlite.flatMap(
      (answer, i) => describeDifference(answer, postgres[i], tolerance) ?? [],
    );
    say(`${variant}, ${route}: ${sqlite.length - different.length} of ${sqlite.length} the same`);
    for (const difference of different) say(difference);
    if (different.length > 0 || sqlite.length === 0) process.exitCode = 1;
  }
} finally {
  await server.remove();
}

interface Answer {
  readonly query: string;
  readonly results: readonly { readonly id: string; readonly score: number }[];
}

async function answersOf(
  store: string,
  variant: TestedVariant,
  route: string,
): Promise<readonly Answer[]> {
  const project = new TempProject({}, appDir);
  cpSync(source, project.path, { recursive: true });
  const client = await startClient(variant, {
    ...environment,
    KNOWLEDGE_STORE: store,
    KNOWLEDGE_APP_DIR: appDir,
  });
  try {
    okBody(await client.rebuild(project));
    await untilEmbedded(client, project);
    const answers: Answer[] = [];
    for (const query of titlesIn(project)) answers.push(await ask(client, project, route, query));
    return answers;
  } finally {
    await client.service.stop();
    project.remove();
  }
}

function titlesIn(project: TempProject): readonly string[] {
  const features = project.at(join(appDir, 'features'));
  return readdirSync(features)
    .map((id) => join(features, id, 'feature.json'))
    .filter((path) => existsSync(path))
    .map((path) => String(JSON.parse(readFileSync(path, 'utf8')).title));
}

/** Waits until every chunk has a vector. */
async function untilEmbedded(client: Client, project: TempProject): Promise<void> {
  if (client.variant !== 'hybrid') return;
  for (;;) {
    const { embeddings } = okBody(await client.status(project));
    say(JSON.stringify(embeddings));
    if (embeddings.pending === 0) return;
    await setTimeout(1000);
  }
}

async function ask(
  client: Client,
  project: TempProject,
  route: string,
  query: string,
): Promise<Answer> {
  const { results } = okBody(await client.post(route, project, { query }));
  return {
    query,
    results: results.map((found: { chunk: { id: string }; score: number }) => ({
      id: found.chunk.id,
      score: found.score,
    })),
  };
}

/** Describes the first place where two lists of results differ; undefined if they are the same and not empty. */
function describeDifference(
  { query, results }: Answer,
  other: Answer | undefined,
  tolerance: number,
): string | undefined {
  const others = other?.results ?? [];
  const place = Array.from({ length: Math.max(results.length, others.length, 1) }).findIndex(
    (_, i) => {
      const [one, two] = [results[i], others[i]];
      return !one || one.id !== two?.id || !(Math.abs(one.score - two.score) < tolerance);
    },
  );
  if (place === -1) return undefined;
  const [one, two] = [results, others].map((list) => JSON.stringify(list[place]));
  return `different: ${query}, result ${place + 1}: ${one}, ${two}`;
}
