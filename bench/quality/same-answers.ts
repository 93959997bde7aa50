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
/** Vectors of the same text differ in their last digits, depending on the texts embedded along with it. */
const SCORE_TOLERANCE = 1e-4;
const COMPARED = [
  ['search-only', '/search'],
  ['hybrid', '/search'],
  ['hybrid', '/x/search'],
] as const satisfies readonly (readonly [TestedVariant, string])[];
const environment = await tinyModelEnvironment();

const server = await PostgresServer.create(SERVER_BIN, 'kept');
const say = (line: string) => console.log(line);
try {
  say(`$ KNOWLEDGE_STORE=${server.url} npm start`);
  for (const [variant, route] of COMPARED) {
    const [sqlite, postgres] = [
      await answersOf('sqlite', variant, route),
      await answersOf(server.url, variant, route),
    ];
    const different = sqlite.filter((answer, i) => !isSame(answer, postgres[i]));
    say(`${variant}, ${route}: ${sqlite.length - different.length} of ${sqlite.length} the same`);
    for (const answer of different)
      say(describeDifference(answer, postgres[sqlite.indexOf(answer)]));
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

function isSame({ results }: Answer, other: Answer | undefined): boolean {
  return (
    results.length > 0 &&
    results.length === other?.results.length &&
    results.every(({ id, score }, i) => {
      const same = other.results[i];
      return same?.id === id && Math.abs(same.score - score) < SCORE_TOLERANCE;
    })
  );
}

/** Names the first place where two lists of results differ. */
function describeDifference({ query, results }: Answer, other: Answer | undefined): string {
  const place = results.findIndex(({ id, score }, i) => {
    const same = other?.results[i];
    return same?.id !== id || Math.abs(same.score - score) >= SCORE_TOLERANCE;
  });
  const show = (found: Answer | undefined) => JSON.stringify(found?.results[place]);
  return `different: ${query}, result ${place + 1}: ${show({ query, results })}, ${show(other)}`;
}
