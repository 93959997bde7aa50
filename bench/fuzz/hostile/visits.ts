import { API } from '../../../test/support/running-service-calls.js';
import type { ServiceAtUrl } from '../../../test/support/service-at-url.js';
import type { HostileProject } from './hostile-project.js';
import { CANARY } from './site.js';
import { document } from './texts.js';

const MOST_VISITS = 7;
/** The client leaves after this time. How long a project delays its own requests does not matter. */
const LONGEST_ANSWER_MS = 4_000;

interface Visit {
  readonly method: string;
  readonly route: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Uses a project like clients, in any order. Returns a sentence for each response that a service must never give. */
export async function visited(
  service: ServiceAtUrl,
  { scene, path: projectPath }: HostileProject,
): Promise<string[]> {
  const { random } = scene;
  const visits = Array.from({ length: 2 + random.below(MOST_VISITS) }, () =>
    random.pick(VISITS)(document(scene)),
  );
  const problems: string[] = [];
  for (const visit of [SEARCH, ...visits, SEARCH]) {
    const problem = await answerTo(service, visit, projectPath);
    if (problem === LEFT) return problems;
    if (problem !== undefined) problems.push(`${visit.route}: ${problem}`);
  }
  return problems;
}

async function answerTo(
  { url }: ServiceAtUrl,
  { method, route, fields }: Visit,
  projectPath: string,
): Promise<string | undefined> {
  const query =
    method === 'GET'
      ? `?${new URLSearchParams({ projectPath, ...(fields as Record<string, string>) })}`
      : '';
  try {
    const response = await fetch(`${url}${API}${route}${query}`, {
      method,
      signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
      ...(method !== 'GET' && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ projectPath, ...fields }),
      }),
    });
    const text = await response.text();
    if (text.includes(CANARY)) return `it shows what is outside: ${text.slice(0, 300)}`;
    const isRefusal = [503, 507].includes(response.status);
    return response.status >= 500 && !isRefusal ? `${response.status}: ${text}` : undefined;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return LEFT;
    return `no answer: ${String(error)} ${error instanceof Error ? String(error.cause) : ''}`;
  }
}

const post = (route: string, fields: Visit['fields'] = {}): Visit => ({
  method: 'POST',
  route,
  fields,
});
const get = (route: string, fields: Visit['fields'] = {}): Visit => ({
  method: 'GET',
  route,
  fields,
});

const LEFT = 'the client left';

const SEARCH = post('/search', { query: 'tapir OR canary OR secret', explain: true });

const VISITS: readonly ((text: string) => Visit)[] = [
  () => SEARCH,
  () => post('/rebuild'),
  () => post('/x/reindex'),
  () => post('/ingest/reflections'),
  () => post('/ingest/agent-outputs'),
  (content) => post('/x/documents', { path: 'pushed/a.md', content }),
  (content) =>
    post('/x/notes', { title: 'a', content: content.slice(0, 10_000), id: 'a', force: true }),
  () => ({ method: 'PUT', route: '/x/notes/a', fields: { content: 'a tapir' } }),
  () => ({ method: 'DELETE', route: '/x/notes/a', fields: {} }),
  () => post('/x/doctor', { repair: true }),
  () => post('/x/doctor'),
  () => post('/x/prune'),
  () => post('/x/compact', { category: 'a' }),
  (text) => post('/x/lessons', { title: `tapir ${text.slice(0, 500)}`, featureId: 'f' }),
  (text) => post('/x/similar', { text: `tapir ${text.slice(0, 500)}` }),
  () => get('/stats'),
  () => get('/x/status'),
  () => get('/x/sources'),
  () => get('/x/lines', { sourceFile: 'docs/a.md' }),
  () => get('/x/lines', { sourceFile: '../../../outside/secret.md' }),
  () => get('/x/chunks/a.md%230'),
];
