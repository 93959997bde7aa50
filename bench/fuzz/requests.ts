import fc from 'fast-check';
import type { OpenApiDocument } from '../../src/adapters/http/openapi/document.js';
import type { PathItem } from '../../src/adapters/http/openapi/open-api.js';
import { API } from '../../test/support/running-service-calls.js';

/** A request as `fetch` sends it. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Requests to all routes that a service describes, for an existing project. */
export function requests(
  { paths }: OpenApiDocument,
  projectPath: string,
): fc.Arbitrary<FuzzRequest> {
  const route = fc.constantFrom(...Object.entries(paths).flatMap(routesAt));
  const fields = fc.record(fieldsFor(projectPath), { requiredKeys: ['projectPath', 'query'] });
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(route, fields).map(([at, body]) => requestTo(at, body)) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(route, fields, mutation)
        .map(([at, body, mutate]) => requestTo(at, mutate(body))),
    },
    { weight: 4, arbitrary: fc.tuple(route, rawBody(projectPath), contentType).map(rawRequest) },
    { weight: 1, arbitrary: strayRequest },
  );
}

interface FuzzRoute {
  readonly method: string;
  /** May contain `{id}`. */
  readonly path: string;
}

type Fields = Readonly<Record<string, unknown>>;

function routesAt([path, item]: readonly [string, PathItem]): readonly FuzzRoute[] {
  return Object.keys(item).map((method) => ({ method: method.toUpperCase(), path }));
}

/** All fields that routes take, with mostly valid values. */
function fieldsFor(projectPath: string) {
  return {
    projectPath: fc.oneof(
      { weight: 9, arbitrary: fc.constant<string>(projectPath) },
      { weight: 1, arbitrary: fc.constantFrom('/', '/etc', '..', '', '\0', `${projectPath}/none`) },
    ),
    query: anyText,
    text: anyText,
    title: fc.oneof({ weight: 4, arbitrary: fc.constantFrom('Copper', 'Walnut') }, anyText),
    description: anyText,
    content: anyText,
    id: fc.oneof(fc.constantFrom('copper', 'a.md#0', '..', 'a/b'), anyText),
    name: fc.oneof({ weight: 4, arbitrary: fc.constantFrom('one', 'two', '../x', '') }, anyText),
    path: fc.oneof({ weight: 4, arbitrary: fc.constantFrom('one', 'a/b', '../x') }, anyText),
    url: fc.constantFrom('http://127.0.0.1/', 'file:///etc/passwd', 'https://[::1]/', 'x', ''),
    epicId: anyText,
    tags: fc.oneof(fc.constantFrom<unknown>([], ['copper'], 'copper'), fc.array(anyText)),
    importance: anyNumber,
    sourceType: fc.constantFrom<unknown>('file', 'manual', 'all', '', null),
    featureId: fc.oneof(fc.constantFrom('f-1', '..', 'a/b', 'x'.repeat(300)), anyText),
    category: fc.oneof(fc.constantFrom('storage', 'none', '../x', '.'), anyText),
    sourceFile: anyText,
    sourceTypes: fc.oneof(
      fc.constantFrom<unknown>('all', [], ['file'], ['file', 'reflection'], ['files'], 'file'),
      fc.array(anyText),
    ),
    maxResults: anyNumber,
    maxTokens: anyNumber,
    threshold: anyNumber,
    dryRun: fc.constantFrom<unknown>(true, false, 'true', 1, null),
    force: fc.constantFrom<unknown>(true, false, 'true', null),
    repair: fc.constantFrom<unknown>(true, false, 'true', null),
    explain: fc.constantFrom<unknown>(true, false, 'true', null),
    fusion: fc.constantFrom<unknown>('rrf', 'blend', 'other', null),
    candidates: fc.constantFrom<unknown>('keyword', 'union', 'all', null),
  };
}

const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('apple', 'the disk', 'apple AND disk', '"the forest"', '', ' ', '\0', '\ud800'),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
);

const anyNumber: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  ...[1, 5, 1000, 0, -0, -1, 0.5, 1e9, 2 ** 53, 1e20, '5', 'NaN', null, [], [5], {}, true],
  RAW_INFINITY(),
);

/** A placeholder for infinity, which `JSON.stringify` would turn into null. */
function RAW_INFINITY(): string {
  return '@1e999@';
}

/** Drops, renames, retypes or adds one field. */
const mutation: fc.Arbitrary<(fields: Fields) => Fields> = fc
  .tuple(fc.constantFrom('drop', 'rename', 'retype', 'add'), fc.nat(), fc.jsonValue(), anyKey())
  .map(([kind, at, value, key]) => (fields) => {
    const names = Object.keys(fields);
    const name = names[at % names.length] ?? 'query';
    const { [name]: old, ...rest } = fields;
    if (kind === 'drop') return rest;
    if (kind === 'rename') return { ...rest, [key]: old };
    if (kind === 'retype') return { ...fields, [name]: value };
    return { ...fields, [key]: value };
  });

function anyKey(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'toString', 'Query', 'projectpath', ''),
    fc.string({ maxLength: 10 }),
  );
}

const contentType = fc.constantFrom(
  ...['application/json', 'application/json; charset=utf-16', 'application/json; charset=utf-99'],
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'nonsense', ''],
);

function rawBody(projectPath: string): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  const path = JSON.stringify(projectPath);
  const deep = fc.integer({ min: 1, max: 20_000 });
  return fc.oneof(
    fc.json(),
    fc.string(),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
    fc.constantFrom('', 'null', '[]', '{', '"x"', '1', '{}{}', '\ufeff{}'),
    deep.map((depth) => `{"projectPath":${path},"query":${'['.repeat(depth)}${']'.repeat(depth)}}`),
    deep.map((depth) => '{"a":'.repeat(depth)),
    fc.constant(`{"projectPath":"/etc","projectPath":${path},"query":"x","query":"apple"}`),
    fc.constant(`{"projectPath":${path},"query":"${'x'.repeat(1_048_576)}"}`),
    fc.constant(`{"projectPath":${path},"query":"${'x'.repeat(100_000)}"}`),
  );
}

function requestTo({ method, path }: FuzzRoute, fields: Fields): FuzzRequest {
  const filled = path.replace('{id}', segment(fields['id']));
  if (!hasBody(method)) {
    const query = Object.entries(fields).map(([name, value]) =>
      [name, value].map(encoded).join('='),
    );
    return { method, path: `${filled}?${query.join('&')}`, headers: {} };
  }
  const body = JSON.stringify(fields).replaceAll('"@1e999@"', '1e999');
  return { method, path: filled, headers: { 'content-type': 'application/json' }, body };
}

/**
 * Encodes an id for a path. Clients resolve `.` and `..` before they send a path, so these ids would reach another
 * route.
 */
function segment(id: unknown): string {
  return id === '.' || id === '..' ? 'dots' : encoded(id);
}

function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed());
}

function rawRequest([{ method, path }, body, type]: readonly [
  FuzzRoute,
  string | Uint8Array<ArrayBuffer>,
  string,
]): FuzzRequest {
  const headers = type === '' ? {} : { 'content-type': type };
  return hasBody(method) ? { method, path, headers, body } : { method, path, headers };
}

function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PUT';
}

/** Requests to unknown routes, with unknown methods, or with broken query strings. */
const strayRequest: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
    fc.oneof(
      fc.constantFrom('/search/', '/Search', '/stats?projectPath=%00', '/stats?projectPath=%zz'),
      fc.constantFrom('/stats?projectPath=/a&projectPath=/b', '/stats?projectPath[a]=/b', '/x'),
      fc.webPath(),
    ),
  )
  .map(([method, path]) => ({ method, path: API + path, headers: {} }));
