import fc from 'fast-check';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import type { HttpAnswer } from '../../test/support/service-at-url.js';
import { TempProject } from '../../test/support/temp-project.js';
import type { FuzzFamily } from './family.js';

const SLOWEST_MS = 2000;
const WORDS = ['apple', 'disk', 'engine', 'forest', 'ap*', 'gpt-4o', "don't", 'C++', '用户认证'];

/** B2: texts of every kind as queries. Each must return 200, or 400 if it is blank, within two seconds. */
export const queries: FuzzFamily = {
  name: 'queries',
  title: 'B2 queries',
  defaultRuns: 5000,
  async run({ runs, seed }) {
    const project = newProject();
    const clients = [await startClient('hybrid'), await startClient('search-only')] as const;
    let slowest = 0;
    try {
      for (const client of clients) {
        okBody(await client.rebuild(project));
        await fc.assert(
          fc.asyncProperty(anyQuery, async (query) => {
            slowest = Math.max(slowest, await searched(client, project, query));
          }),
          { numRuns: Math.ceil(runs / clients.length), seed },
        );
        if (!client.service.process.isRunning()) throw new Error('The service has ended.');
      }
    } finally {
      await Promise.all(clients.map((client) => client.service.stop()));
      project.remove();
    }
    return [`slowest search ${Math.round(slowest)} ms`];
  },
  async negativeControl({ seed }) {
    const status = (query: string) => (/^\w+$/.test(query) ? 200 : 500);
    const headers = new Headers();
    fc.assert(
      fc.property(anyQuery, (query) => {
        check({ status: status(query), text: 'raw MATCH', headers, body: { results: [] } }, query);
      }),
      { seed },
    );
  },
};

async function searched(client: Client, project: TempProject, query: string): Promise<number> {
  const begin = performance.now();
  const answer = await client.search(project, query);
  const took = performance.now() - begin;
  check(answer, query);
  if (took > SLOWEST_MS) throw new Error(`It took ${took} ms.`);
  return took;
}

function check({ status, body, text }: HttpAnswer, query: string): void {
  const expected = query.toWellFormed().trim() === '' ? 400 : 200;
  if (status !== expected) throw new Error(`HTTP ${status}: ${text}`);
  if (status === 200 && !Array.isArray(body?.results)) throw new Error(`No results in: ${text}`);
}

const word = fc.constantFrom(...WORDS);
const token = fc.oneof(
  word,
  fc.constantFrom('AND', 'OR', 'NOT', '(', ')', '"', '*', '^', 'NEAR(', ',', '3)', '+', ':'),
  fc.constantFrom('-', '{', '}', 'heading:', 'rowid', "'", ';', '--', '\0', '\\', '%', '\n'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);

/** Expressions of the grammar, with parentheses of any depth. */
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'large', withCrossShrink: true },
    word,
    fc.tuple(word, word).map((pair) => `"${pair.join(' ')}"`),
    fc
      .tuple(tie('expression'), fc.constantFrom(' AND ', ' OR ', ' NOT ', ' '), tie('expression'))
      .map((parts) => parts.join('')),
    tie('expression').map((inner) => `(${inner})`),
  ),
}));

const anyQuery = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join(' ')),
  fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join('')),
  expression,
  fc.tuple(token, fc.integer({ min: 1, max: 3000 })).map(([part, n]) => `${part} `.repeat(n)),
  fc.tuple(token, fc.integer({ min: 1, max: 3000 })).map(([part, n]) => part.repeat(n)),
);

function newProject(): TempProject {
  const project = new TempProject();
  for (let file = 0; file < 20; file += 1) {
    const text = `apple disk${file} engine forest gpt-4o don't C++ 用户认证 `.repeat(5);
    project.write(`notes/${file}.md`, `## Note ${file}\n\n${text}\n`);
  }
  return project;
}
