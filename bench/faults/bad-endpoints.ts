import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import {
  type ModelEndpoint,
  type Reply,
  startModelEndpoint,
} from '../../test/support/model-endpoint.js';
import {
  closeMidBody,
  cutOff,
  dripping,
  emptyChoices,
  garbage,
  hang,
  html,
  huge,
  noContent,
  redirectTo,
  status,
  threeQuestions,
  throttled,
} from '../../test/support/model-endpoint-replies.js';
import { eventually } from '../../test/support/running-service.js';
import { okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import type { FaultFamily } from './family.js';
import { AcknowledgementLog } from './generations.js';
import { tinyModelEnvironment } from './tiny-model-environment.js';

const CALLS_PER_MINUTE = 10;
const SEARCHES = 20;

const REPLIES: Readonly<Record<string, Reply>> = {
  'garbage JSON': garbage,
  'an HTML page': html,
  'no choices': emptyChoices,
  'no content': noContent,
  'half an answer': cutOff('{"questions": ["Wh'),
  '10 MB': huge(10_000_000),
  hangs: hang,
  'a slow drip': dripping(200),
  'closes in the middle': closeMidBody,
  '500': status(500),
  '429, 7 s': throttled('7'),
  '429, 1e9 s': throttled('1000000000'),
  '429, a date': throttled('Wed, 21 Oct 2099 07:28:00 GMT'),
  'a redirect': redirectTo('http://127.0.0.1:9/'),
};

/** F16: an endpoint for questions that misbehaves in every way. */
export const badEndpoints: FaultFamily = {
  name: 'F16',
  title: 'endpoints of the language model that misbehave',
  defaultRounds: Object.keys(REPLIES).length,
  async run({ rounds }) {
    const wrong: string[] = [];
    const names = Object.keys(REPLIES).slice(0, rounds);
    let slowest = 0;
    for (const name of names) {
      const seen = await observed(REPLIES[name] ?? hang);
      wrong.push(...seen.wrong.map((sentence) => `${name}: ${sentence}`));
      slowest = Math.max(slowest, seen.slowestMs);
    }
    const notes = [`the slowest search took ${Math.round(slowest)} ms`];
    return { rounds: names.length, acknowledged: names.length, lost: 0, wrong, notes };
  },
  /** An endpoint that works is not to be taken for one that does not. */
  async negativeControl() {
    return (await observed(threeQuestions)).wrong;
  },
};

/** Whether searches go on, the limit of calls is kept, and nothing of a bad answer is stored. */
async function observed(reply: Reply) {
  const endpoint = await startModelEndpoint(reply);
  const client = await startClient('hybrid', {
    ...(await tinyModelEnvironment()),
    OPENAI_BASE_URL: endpoint.baseUrl,
    OPENAI_MODEL: 'scripted',
  });
  const project = new TempProject();
  const log = new AcknowledgementLog();
  for (let index = 0; index < 5; index += 1) log.write(project, `f${index}`);
  const wrong: string[] = [];
  let slowestMs = 0;
  try {
    okBody(await client.rebuild(project));
    await eventually(() => endpoint.requests.length > 0, { withinMs: 60_000 });
    for (let n = 0; n < SEARCHES; n += 1) {
      const begin = performance.now();
      const { status: code, text } = await client.search(project, 'apple');
      slowestMs = Math.max(slowestMs, performance.now() - begin);
      if (code !== 200) wrong.push(`a search is ${code}: ${text}`);
      await pause(50);
    }
    wrong.push(...tooManyCalls(endpoint), ...storedQuestions(project));
  } finally {
    await client.service.stop();
    await endpoint.close();
    project.remove();
  }
  return { wrong, slowestMs };
}

function tooManyCalls({ requests }: ModelEndpoint): readonly string[] {
  return requests.length > CALLS_PER_MINUTE ? [`${requests.length} calls within a minute`] : [];
}

function storedQuestions({ database }: TempProject): readonly string[] {
  const db = new Database(database, { readonly: true });
  const count = db.prepare('SELECT count(*) FROM chunks WHERE hype_queries IS NOT NULL').pluck();
  const stored = Number(count.get());
  db.close();
  return stored > 0 ? [`${stored} chunks have questions`] : [];
}
