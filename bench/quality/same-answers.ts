/**
 * Plays a first day with PostgreSQL: starts a server and two services, one of them on SQLite, indexes a copy of a
 * project with both, and compares their results for the titles of its features.
 *
 *   npm run build && KNOWLEDGE_TEST_POSTGRES_BIN=$(scripts/get-postgres.sh) npx tsx bench/quality/same-answers.ts <project>
 */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresServer } from '../../test/support/postgres-server.js';
import { SERVER_BIN } from '../../test/support/postgres-under-test.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';

const [source = '', appDir = '.automaker'] = process.argv.slice(2);
const SCORE_TOLERANCE = 1e-6;

const server = await PostgresServer.create(SERVER_BIN, 'kept');
const say = (line: string) => console.log(line);
try {
  say(`$ KNOWLEDGE_STORE=${server.url} npm start`);
  const [sqlite, postgres] = [await answersOf('sqlite'), await answersOf(server.url)];
  const different = sqlite.filter((answer, i) => !isSame(answer, postgres[i]));
  say(`${sqlite.length} titles, ${sqlite.length - different.length} with the same answers`);
  for (const { query } of different) say(`different: ${query}`);
  process.exitCode = different.length === 0 && sqlite.length > 0 ? 0 : 1;
} finally {
  await server.remove();
}

interface Answer {
  readonly query: string;
  readonly results: readonly { readonly id: string; readonly score: number }[];
}

async function answersOf(store: string): Promise<readonly Answer[]> {
  const project = new TempProject({}, appDir);
  cpSync(source, project.path, { recursive: true });
  const client = await startClient('search-only', {
    KNOWLEDGE_STORE: store,
    KNOWLEDGE_APP_DIR: appDir,
  });
  try {
    say(`POST /x/rebuild on ${store}: ${JSON.stringify(okBody(await client.rebuild(project)))}`);
    const answers: Answer[] = [];
    for (const query of titlesIn(project)) answers.push(await ask(client, project, query));
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

async function ask(client: Client, project: TempProject, query: string): Promise<Answer> {
  const results = await client.results(project, query);
  return { query, results: results.map(({ chunk, score }) => ({ id: chunk.id, score })) };
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
