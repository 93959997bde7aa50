import { expect, it } from 'vitest';
import { makeRetrievalWorld } from '../../support/retrieval-world.js';

const QUESTION = 'why are people logged out';
const ALSO = 'session token expiry';

it('guessed words count fully if the first results of the question contain them all', async () => {
  expect(await relevanceOfSessions('Why people are logged out: session token expiry.')).toBe(
    await relevanceOfSessions('Why people are logged out: the session token has an expiry.'),
  );
});

it('guessed words count less the fewer of them the first results of the question contain', async () => {
  const all = await relevanceOfSessions('people logged out: session token expiry');
  const some = await relevanceOfSessions('people logged out: session');
  const none = await relevanceOfSessions('people');
  expect(all).toBeGreaterThan(some);
  expect(some).toBeGreaterThan(none);
  expect(none).toBeGreaterThan(0);
});

/** With five documents that are nearer to the question alone. */
async function relevanceOfSessions(nearer: string): Promise<number> {
  const world = await makeRetrievalWorld();
  await world.fill(10);
  await world.add('sessions.md', 'The session token has an expiry of one hour.');
  await world.near('sessions.md', `${QUESTION} ${ALSO}`, 0.8);
  for (let i = 0; i < 5; i += 1) {
    await world.add(`nearer-${i}.md`, `${nearer} ${'x'.repeat(i + 1)}`);
    await world.near(`nearer-${i}.md`, QUESTION, 0.9);
  }
  const request = { projectPath: '/project', query: QUESTION, also: ALSO, all: true };
  const { results } = await world.hybridSearch.read(request);
  return results.find(({ chunk }) => chunk.sourceFile === 'sessions.md')?.relevance ?? 0;
}
