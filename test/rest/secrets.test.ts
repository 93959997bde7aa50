import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ModelEndpoint, startModelEndpoint } from '../support/model-endpoint.js';
import { inTurn, status, throttled } from '../support/model-endpoint-replies.js';
import { eventually } from '../support/running-service.js';
import { API, type Client, startClient } from '../support/running-service-calls.js';
import type { HttpAnswer } from '../support/service-at-url.js';
import { type TempProject, tempDirectory } from '../support/temp-project.js';
import { testProjects } from '../support/test-projects.js';
import { TINY_MODEL, writeTinyModel } from '../support/tiny-model.js';

/** Each is a word that nothing else contains. */
const API_KEY = 'sk-canarykey';
const TOKEN = 'canarytoken';
const QUERY = 'canaryquery';
const CHUNK = 'canarychunk';

const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };

/** Where a canary is in a text, with what is around it. */
function found(text: string, ...canaries: readonly string[]): readonly string[] {
  return canaries.flatMap((canary) => {
    const at = text.indexOf(canary);
    return at === -1 ? [] : [text.slice(Math.max(0, at - 100), at + 40)];
  });
}

describe('a service with secrets, at the level info', () => {
  const projects = testProjects();
  const data = tempDirectory('knowledge-data-');
  let endpoint: ModelEndpoint;
  let client: Client;
  let project: TempProject;
  const answers: HttpAnswer[] = [];

  beforeAll(async () => {
    // Its errors repeat the key and the text that it was sent.
    endpoint = await startModelEndpoint(inTurn(status(500), status(401), throttled('1')));
    await writeTinyModel(`${data}/models`);
    client = await startClient('hybrid', {
      KNOWLEDGE_LOG_LEVEL: 'info',
      KNOWLEDGE_TOKEN: TOKEN,
      OPENAI_BASE_URL: endpoint.baseUrl,
      OPENAI_API_KEY: API_KEY,
      OPENAI_MODEL: 'small',
      DATA_DIR: data,
      KNOWLEDGE_MODEL: TINY_MODEL,
    });
    project = projects.make(filesWithCanaries());
  });
  afterAll(async () => {
    await client.service.stop();
    await endpoint.close();
    rmSync(data, { recursive: true, force: true });
  });

  const post = async (path: string, fields: object = {}) => {
    const body = { projectPath: project.path, ...fields };
    const answer = await client.service.post(API + path, body, AUTHORIZED);
    answers.push(answer);
    return answer;
  };
  const get = async (path: string) => {
    const answer = await client.service.get(path, AUTHORIZED);
    answers.push(answer);
    return answer;
  };

  test('is asked in every way, and fails in many', async () => {
    await post('/rebuild');
    await post('/ingest/reflections');
    for (const query of [QUERY, `"${QUERY}" AND (`, `${CHUNK} ${QUERY}*`, `${QUERY} '; DROP`])
      await post('/search', { query, explain: true });
    await post('/search', { query: QUERY, sourceTypes: [QUERY] });
    await post('/x/similar', { text: QUERY });
    await post('/x/lessons', { title: QUERY, description: QUERY });
    await post('/x/notes', { title: `${CHUNK} note`, content: CHUNK, id: `../${QUERY}` });
    await post('/x/notes', { title: `${CHUNK} note`, content: `${CHUNK} of a note` });
    await post('/x/compact', { category: 'storage', threshold: 1 });
    await post('/x/digests', { category: 'storage' });
    await post('/x/features/complete', { featureId: 'f-1' });
    await post('/x/doctor');
    for (const body of [`{"query":"${QUERY}`, `${QUERY}${TOKEN}`, `["${QUERY}"]`])
      answers.push(await client.service.post(`${API}/search`, body, AUTHORIZED));
    answers.push(await client.service.post(`${API}/search`, { query: QUERY }));
    await get(`/${QUERY}?${QUERY}`);
    await eventually(() => endpoint.requests.length >= 4, { withinMs: 30_000 });
    const statuses = new Set(answers.map((answer) => answer.status));
    for (const expected of [200, 201, 400, 401, 404, 503]) expect(statuses).toContain(expected);
    expect(endpoint.requests.some(({ prompt }) => prompt.includes(CHUNK))).toBe(true);
    expect(endpoint.requests[0]?.headers['authorization']).toBe(`Bearer ${API_KEY}`);
  });

  test('says no secret in any answer, nor text in an answer that is an error', async () => {
    for (const path of ['/ready', '/metrics', '/openapi.json', '/docs']) await get(path);
    const { text } = await get(`${API}/stats?projectPath=${encodeURIComponent(project.path)}`);
    expect(found(text, API_KEY, TOKEN, QUERY, CHUNK)).toEqual([]);
    for (const answer of answers) {
      const headers = JSON.stringify([...answer.headers]);
      expect(found(answer.text + headers, API_KEY, TOKEN)).toEqual([]);
      if (answer.status >= 400) expect(found(answer.text, CHUNK)).toEqual([]);
    }
    expect(found((await get('/metrics')).text, QUERY, CHUNK)).toEqual([]);
  });

  test('stores no secret and no query', async () => {
    await client.service.stop();
    const database = readFileSync(project.database, 'latin1');
    expect(found(database, CHUNK)).not.toEqual([]);
    expect(found(database, API_KEY, TOKEN, QUERY)).toEqual([]);
  });

  test('logs no secret, no query and no text', () => {
    const logged = client.service.process.stdout() + client.service.stderr();
    expect(logged).toMatch(/"level":40/);
    expect(found(logged, API_KEY, TOKEN, QUERY, CHUNK)).toEqual([]);
  });
});

/** Sources of each kind; some of them are broken in a way that the log speaks of. */
function filesWithCanaries() {
  return {
    'a.md': `## ${CHUNK}\n\nthe disk of ${CHUNK}\n`,
    'broken.md': `---\ntags: [${CHUNK}\nimportance: {${CHUNK}\n---\n\n${CHUNK}\n`,
    'long.md': `---\ntags: ${CHUNK.repeat(10_000)}\n---\n\ntext\n`,
    'binary.md': Buffer.concat([Buffer.from(CHUNK), Buffer.alloc(5_000)]),
    '.knowledge/features/f-1/feature.json': `{"title": ${CHUNK}`,
    '.knowledge/features/f-1/agent-output.md': `${CHUNK} of an output\n`,
    '.knowledge/features/f-1/reflection.md': `## ${CHUNK}\n\n${CHUNK} of a reflection\n`,
    '.knowledge/memory/storage.md': `## ${CHUNK}\n\n${`${CHUNK} of a category. `.repeat(50)}\n`,
    '.knowledge/settings.json': `{"knowledgeStore": {"maxChunkSize": "${CHUNK}"}, ${CHUNK}`,
  };
}
