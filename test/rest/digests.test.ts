import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ModelEndpoint, type Reply, startModelEndpoint } from '../support/model-endpoint.js';
import { answering, threeQuestions } from '../support/model-endpoint-replies.js';
import type { Client } from '../support/running-service-calls.js';
import { type ServedService, serveHybrid } from '../support/served-service.js';
import { type TempProject, TempProjects } from '../support/temp-project.js';

const projects = new TempProjects();
let project: TempProject;
let endpoint: ModelEndpoint;
let client: Client<ServedService>;

beforeAll(async () => {
  endpoint = await startModelEndpoint(threeQuestions);
  client = await serveHybrid({ languageModel: { baseUrl: endpoint.baseUrl, model: 'small' } });
});
afterAll(async () => {
  await client.service.stop();
  await endpoint.close();
  projects.removeAll();
});
beforeEach(() => {
  project = projects.make();
  project.writeMemory('gotchas', '---\ntags: [db]\n---\n## Locks\nWriters wait for readers.\n');
  answerDigests(answering('Use the walrus for writing.'));
});

describe('a digest of a category', () => {
  test('is a generated source with links to what it was made of, found at once', async () => {
    const { status: code, body } = await digest({ category: 'gotchas' });
    expect([code, body]).toEqual([
      201,
      { sourceFile: FILE, chunks: 1, sources: ['.knowledge/memory/gotchas.md'] },
    ]);
    expect(text()).toContain('sources: [".knowledge/memory/gotchas.md"]');
    const [found] = await client.results(project, 'walrus', { sourceTypes: ['generated'] });
    expect(found?.chunk).toMatchObject({ id: `${FILE}#0`, sourceType: 'generated' });
    const [request] = asked();
    expect(request?.data).toContain('Writers wait for readers.');
    expect(request?.data).not.toContain('tags:');
  });
});

test.each([
  [{}, 400, 'invalid_request'],
  [{ category: 'gotchas', epicId: 'e1' }, 400, 'invalid_request'],
  [{ category: '../gotchas' }, 400, 'invalid_request'],
  [{ category: 'unknown' }, 404, 'category_not_found'],
  [{ epicId: 'unknown' }, 404, 'not_found'],
])('a digest of %j is %i %s', async (subject, code, name) => {
  expect(await digest(subject)).toMatchObject({ status: code, body: { code: name } });
});

function digest(subject: object) {
  return client.post('/x/digests', project, subject);
}

function text(): string {
  return readFileSync(project.at(FILE), 'utf8');
}

/** The questions of chunks are asked for in JSON, in the background. */
function answerDigests(reply: Reply): void {
  endpoint.answerWith((response, request) =>
    'response_format' in request.body
      ? threeQuestions(response, request)
      : reply(response, request),
  );
}

/** The requests for digests so far. */
function asked() {
  return endpoint.requests.filter(({ body }) => !('response_format' in body));
}

const FILE = '.knowledge/digests/category-gotchas.md';
