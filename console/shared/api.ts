import type { z } from 'zod';
import type { chunkListResponse, mapResponse, surveyResponse } from '../../src/schemas/overview.js';
import type { diagnosis } from '../../src/schemas/recovery.js';
import type { explainResponse, lessonsResponse } from '../../src/schemas/search.js';
import type {
  chunkResponse,
  linesResponse,
  sourcesResponse,
  staleResponse,
} from '../../src/schemas/sources.js';
import type { hybridStats } from '../../src/schemas/stats.js';
import type { statusResponse } from '../../src/schemas/status.js';
import type { compactResponse, pruneResponse, restoreResponse } from '../../src/schemas/upkeep.js';
import { storedToken } from './token.js';

/** What each route takes and returns, by the service's own schemas. */
export interface Operations {
  'POST /api/knowledge/x/explain': Operation<SearchFields, typeof explainResponse>;
  'GET /api/knowledge/stats': Operation<ProjectField, typeof hybridStats>;
  'POST /api/knowledge/rebuild': Operation<ProjectField, typeof hybridStats>;
  'GET /api/knowledge/x/status': Operation<ProjectField, typeof statusResponse>;
  'GET /api/knowledge/x/survey': Operation<ProjectField, typeof surveyResponse>;
  'GET /api/knowledge/x/map': Operation<ProjectField, typeof mapResponse>;
  'GET /api/knowledge/x/chunks': Operation<ListFields, typeof chunkListResponse>;
  'GET /api/knowledge/x/chunks/{id}': Operation<ProjectField & IdField, typeof chunkResponse>;
  'GET /api/knowledge/x/sources': Operation<ProjectField, typeof sourcesResponse>;
  'GET /api/knowledge/x/stale': Operation<ProjectField, typeof staleResponse>;
  'GET /api/knowledge/x/lines': Operation<ProjectField & FileField, typeof linesResponse>;
  'POST /api/knowledge/x/lessons': Operation<LessonFields, typeof lessonsResponse>;
  'POST /api/knowledge/x/prune': Operation<DryRunFields, typeof pruneResponse>;
  'POST /api/knowledge/x/compact': Operation<CompactFields, typeof compactResponse>;
  'POST /api/knowledge/x/compact/restore': Operation<CategoryFields, typeof restoreResponse>;
  'POST /api/knowledge/x/doctor': Operation<
    ProjectField & { readonly repair?: boolean },
    typeof diagnosis
  >;
}

interface Operation<Fields, Response extends z.ZodType> {
  readonly fields: Fields;
  readonly response: z.output<Response>;
}

export interface ProjectField {
  readonly projectPath: string;
}

export interface SearchFields extends ProjectField {
  readonly query: string;
  readonly maxResults?: number;
  readonly maxTokens?: number;
  readonly sourceTypes?: readonly string[];
  readonly fusion?: string;
  readonly candidates?: string;
}

interface IdField {
  readonly id: string;
}

interface FileField {
  readonly sourceFile: string;
}

interface ListFields extends ProjectField, Partial<FileField> {
  readonly order?: string;
  readonly sourceType?: string;
  readonly limit?: number;
  readonly offset?: number;
}

interface LessonFields extends ProjectField {
  readonly title: string;
  readonly description?: string;
}

interface DryRunFields extends ProjectField {
  readonly dryRun?: boolean;
}

interface CategoryFields extends ProjectField {
  readonly category: string;
}

interface CompactFields extends CategoryFields, DryRunFields {
  readonly threshold?: number;
}

export type Answer<Name extends keyof Operations> = Operations[Name]['response'];

/** An answer of the service that is not 2xx, or none at all (status 0). */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/**
 * Calls a route of the service that sent this page.
 * @throws ApiError with a sentence for people
 */
export async function call<Name extends keyof Operations>(
  name: Name,
  fields: Operations[Name]['fields'],
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const [method = '', path = ''] = name.split(' ');
  const request = requestOf(method, path, { ...fields });
  const response = await send(request.url, { ...request.init, ...(signal && { signal }) });
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body as Answer<Name>;
  const sentence = typeof body.error === 'string' ? body.error : `HTTP ${response.status}`;
  throw new ApiError(response.status, sentence);
}

function requestOf(method: string, path: string, fields: Record<string, unknown>) {
  const filled = path.replace(/\{(\w+)\}/g, (_, field) => {
    const value = encodeURIComponent(String(fields[field]));
    delete fields[field];
    return value;
  });
  const token = storedToken();
  const headers = {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(method === 'POST' && { 'Content-Type': 'application/json' }),
  };
  const url = new URL(`.${filled}`, document.baseURI);
  if (method === 'POST') return { url, init: { method, headers, body: JSON.stringify(fields) } };
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined) url.searchParams.set(field, String(value));
  }
  return { url, init: { method, headers } };
}

async function send(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, cache: 'no-store', credentials: 'omit' });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError(0, 'The service does not answer. Is it still running?');
  }
}
