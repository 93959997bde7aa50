import { type RunningService, startService } from './running-service.js';
import type { HttpAnswer, ServiceAtUrl } from './service-at-url.js';
import type { TempProject } from './temp-project.js';

export const VARIANTS = ['hybrid', 'search-only'] as const;
export type TestedVariant = (typeof VARIANTS)[number];

export const API = '/api/knowledge';

/** A search result of either variant. */
interface FoundChunk {
  readonly chunk: {
    readonly id: string;
    readonly sourceType: string;
    readonly sourceFile: string;
    readonly heading?: string;
    readonly content: string;
    readonly tags?: readonly string[];
    readonly importance: number;
  };
  readonly score: number;
}

/** A client of a running service of one variant, with a method per route. */
export class Client<S extends ServiceAtUrl = RunningService> {
  readonly service: S;
  readonly variant: TestedVariant;

  constructor(service: S, variant: TestedVariant) {
    this.service = service;
    this.variant = variant;
  }

  search(project: TempProject, query: string, options: object = {}): Promise<HttpAnswer> {
    return this.post('/search', project, { query, ...options });
  }

  /** The results of a search, which must succeed. */
  async results(
    project: TempProject,
    query: string,
    options: object = {},
  ): Promise<readonly FoundChunk[]> {
    return okBody(await this.search(project, query, options)).results;
  }

  /** The ids of the results, best first. */
  async ids(project: TempProject, query: string, options: object = {}): Promise<readonly string[]> {
    return (await this.results(project, query, options)).map(({ chunk }) => chunk.id);
  }

  /** Creates the store of a project with a first search; reading stats would not create it. */
  open(project: TempProject): Promise<HttpAnswer> {
    return this.search(project, 'anything');
  }

  stats(project: TempProject): Promise<HttpAnswer> {
    return this.variant === 'search-only'
      ? this.post('/stats', project)
      : this.get('/stats', project);
  }

  rebuild(project: TempProject): Promise<HttpAnswer> {
    return this.post('/rebuild', project);
  }

  /** The number of indexed files after a successful ingest. */
  async indexed(project: TempProject, kind: 'reflections' | 'agent-outputs'): Promise<number> {
    return okBody(await this.post(`/ingest/${kind}`, project)).indexed;
  }

  status(project: TempProject): Promise<HttpAnswer> {
    return this.get('/x/status', project);
  }

  /** The details of a chunk. */
  async chunk(project: TempProject, id: string): Promise<HttpAnswer['body']> {
    return okBody(await this.get(`/x/chunks/${encodeURIComponent(id)}`, project));
  }

  /** Replaces a note with PUT. */
  replaceNote(project: TempProject, id: string, fields: object): Promise<HttpAnswer> {
    return this.service.request(`${API}/x/notes/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ projectPath: project.path, ...fields }),
    });
  }

  deleteNote(project: TempProject, id: string): Promise<HttpAnswer> {
    return this.service.request(withProject(`${API}/x/notes/${id}`, project), { method: 'DELETE' });
  }

  get(path: string, project: TempProject): Promise<HttpAnswer> {
    return this.service.get(withProject(API + path, project));
  }

  post(path: string, project: TempProject, fields: object = {}): Promise<HttpAnswer> {
    return this.service.post(API + path, { projectPath: project.path, ...fields });
  }
}

function withProject(path: string, project: TempProject): string {
  return `${path}?${new URLSearchParams({ projectPath: project.path })}`;
}

export async function startClient(
  variant: TestedVariant,
  environment: Readonly<Record<string, string>> = {},
): Promise<Client> {
  return new Client(await startService({ KNOWLEDGE_VARIANT: variant, ...environment }), variant);
}

/**
 * The body of a successful response.
 * @throws Error with the text of any other response
 */
// biome-ignore lint/suspicious/noExplicitAny: a black box may return anything
export function okBody(answer: HttpAnswer): any {
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** The properties that every error of the contract has; compare with `toEqual`. */
export function errorOf({ status, body, headers }: HttpAnswer) {
  return {
    status,
    code: body?.code,
    keys: Object.keys(body ?? {}).sort(),
    success: body?.success,
    isSentence: typeof body?.error === 'string' && /^\S[^\n]*[.!]$/.test(body.error),
    isJson: /^application\/json/.test(headers.get('content-type') ?? ''),
  };
}

export function error(status: number, code: string) {
  return {
    status,
    code,
    keys: ['code', 'error', 'success'],
    success: false,
    isSentence: true,
    isJson: true,
  };
}
