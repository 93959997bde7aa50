import fc from 'fast-check';
import type { OpenApiDocument } from '../../src/adapters/http/openapi/document.js';
import { API, type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FuzzFamily } from './family.js';
import { type FuzzRequest, requests } from './requests.js';
import { interfaceCheck } from './responses.js';

/** B1: valid, nearly valid and absurd requests to every route of both variants. */
export const http: FuzzFamily = {
  name: 'http',
  title: 'B1 HTTP requests',
  defaultRuns: 5000,
  async run({ runs, seed }) {
    const projects = ['hybrid', 'search-only'].map(() => newProject());
    const roots = { KNOWLEDGE_ROOTS: projects.map(({ path }) => path).join(':') };
    const clients = [
      await startClient('hybrid', roots),
      await startClient('search-only', roots),
    ] as const;
    const statuses = new Map<number, number>();
    try {
      for (const [index, client] of clients.entries()) {
        const project = projects[index] as TempProject;
        okBody(await client.rebuild(project));
        const document: OpenApiDocument = okBody(await client.service.get('/openapi.json'));
        const check = interfaceCheck(document);
        await fc.assert(
          fc.asyncProperty(requests(document, project.path), async (sent) => {
            const status = await checked(client, sent, check);
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }),
          { numRuns: Math.ceil(runs / clients.length), seed },
        );
        await assertSound(client, project);
      }
    } finally {
      await Promise.all(clients.map((client) => client.service.stop()));
      for (const project of projects) project.remove();
    }
    return [`statuses ${JSON.stringify([...statuses].toSorted())}`];
  },
  /**
   * Checks the responses of a careless service: one with internals, one without required fields, and one with status
   * 500.
   */
  async negativeControl() {
    const client = await startClient('hybrid');
    const document: OpenApiDocument = okBody(await client.service.get('/openapi.json'));
    await client.service.stop();
    const check = interfaceCheck(document);
    const request = { method: 'POST', path: `${API}/search`, headers: {} };
    const why = CARELESS.map(([status, body]) => {
      const headers = new Headers({ 'content-type': 'application/json' });
      return check(request, { status, headers, body, text: JSON.stringify(body) });
    });
    if (!why.includes(undefined)) throw new Error(why.join('\n'));
  },
};

const STACK = 'Error: x\n    at run (/srv/app/dist/main.js:3:14)';

const CARELESS = [
  [400, { success: false, error: STACK, code: 'invalid_request' }],
  [200, { success: true }],
  [500, { success: false, error: 'x', code: 'internal' }],
] as const;

async function checked(
  client: Client,
  request: FuzzRequest,
  check: ReturnType<typeof interfaceCheck>,
) {
  const { method, path, headers, body } = request;
  const answer = await client.service.request(path, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  const why = check(request, answer);
  if (why !== undefined) throw new Error(`${method} ${path}: ${why}`);
  if (answer.text.includes(process.cwd())) throw new Error(`a path in: ${answer.text}`);
  return answer.status;
}

async function assertSound(client: Client, project: TempProject): Promise<void> {
  if (!client.service.process.isRunning()) throw new Error('The service has ended.');
  const body = okBody(await client.stats(project));
  const problems = problemsIn(project.database, {
    project: project.path,
    stats: body.stats ?? body,
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const bugs = client.service.stderr().match(/.*(?:"internal"|\bbug\b).*/g) ?? [];
  if (bugs.length > 0) throw new Error(`The log speaks of a bug: ${bugs[0]}`);
}

function newProject(): TempProject {
  const project = new TempProject({ 'a.md': '## Apple\n\nthe apple\n\n## Disk\n\nthe disk' });
  project.writeReflection('f-1', 'the engine');
  project.writeMemory('storage', '## Forest\n\nthe forest');
  return project;
}
