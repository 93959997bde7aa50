import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ModelEndpoint, type Reply, startModelEndpoint } from '../support/model-endpoint.js';
import {
  answering,
  closeMidBody,
  cutOff,
  garbage,
  status,
  threeQuestions,
} from '../support/model-endpoint-replies.js';
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

  test('stays as it is, without a call, until its source has changed', async () => {
    await digest({ category: 'gotchas' });
    const [before, calls] = [text(), asked().length];
    expect(await digest({ category: 'gotchas' })).toMatchObject({ status: 200 });
    expect([text(), asked().length]).toEqual([before, calls]);
    project.writeMemory('gotchas', '## Locks\nReaders never wait.\n');
    answerDigests(answering('Use the otter for reading.'));
    expect(await digest({ category: 'gotchas' })).toMatchObject({ status: 200 });
    expect(asked().length).toBe(calls + 1);
    expect(await client.ids(project, 'walrus')).toEqual([]);
    expect(await client.ids(project, 'otter')).toEqual([`${FILE}#0`]);
  });

  test.each<readonly [string, Reply]>([
    ['is refused', status(400)],
    ['is an error', status(500)],
    ['is cut off', cutOff('Use the')],
    ['is filtered', cutOff('Use the', 'content_filter')],
    ['is blank', answering(' \n\u200b')],
    ['is frontmatter alone', answering('---\ntags: [a]\n---\n')],
    ['is no answer', garbage],
    ['breaks off', closeMidBody],
  ])('stays where the new answer %s', async (_, reply) => {
    await digest({ category: 'gotchas' });
    const before = text();
    project.writeMemory('gotchas', '## Locks\nReaders never wait.\n');
    answerDigests(reply);
    const refused = await digest({ category: 'gotchas' });
    expect(refused).toMatchObject({ status: 503, body: { code: 'model_unavailable' } });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(text()).toBe(before);
    expect(await client.ids(project, 'walrus')).toEqual([`${FILE}#0`]);
  });
});

describe('a digest of an epic', () => {
  test('is made of the reflections of its features, again where one is added', async () => {
    const addFeature = (id: string) => {
      project.write(`.knowledge/features/${id}/feature.json`, JSON.stringify({ epicId: 'e1' }));
      project.writeReflection(id, `Reflected on ${id}.`);
    };
    addFeature('b');
    addFeature('a');
    const first = await digest({ epicId: 'e1' });
    expect([first.status, first.body.sources]).toEqual([
      201,
      [project.reflection('a'), project.reflection('b')],
    ]);
    addFeature('c');
    const second = await digest({ epicId: 'e1' });
    expect([second.status, second.body.sources.length]).toEqual([200, 3]);
    expect(asked().at(-1)?.data).toContain('Reflected on c.');
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
