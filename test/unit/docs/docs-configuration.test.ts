import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { versionsTable } from '../../../bench/quality/text-report.js';
import { recordedVersions } from '../../../bench/quality/versions.js';
import { HTTP_STATUSES } from '../../../src/adapters/http/server/http-error.js';
import { probeRoutes } from '../../../src/adapters/http/server/probe-routes.js';
import { RequestLimit } from '../../../src/adapters/http/server/request-limit.js';
import { DEFAULT_SERVER_LIMITS } from '../../../src/adapters/http/server/server-limits.js';
import type { Field } from '../../../src/app/config/config.js';
import { STORE_BACKENDS } from '../../../src/app/config/config.js';
import { describeDefault, FIELDS, VARIABLES_HELP } from '../../../src/app/config/fields.js';
import { readConfig } from '../../../src/app/config/read-config.js';
import { hybridApi } from '../../../src/app/routes/hybrid-api.js';
import type { Route } from '../../../src/app/routes/route.js';
import { searchOnlyApi } from '../../../src/app/routes/search-only-api.js';
import { CANDIDATE_SETS, DEFAULT_SETTINGS, FUSIONS } from '../../../src/domain/settings.js';
import { fakeService } from '../../fakes/fake-service.js';
import { QuietMonitor } from '../../fakes/quiet-monitor.js';

/** What the documentation says, held against the code in both directions. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const API = read('docs/api.md');
const CONFIGURATION = read('docs/configuration.md');

describe('docs/api.md', () => {
  test('has every error code with its status, and no other', () => {
    const coded = Object.entries(HTTP_STATUSES).map(([code, status]) => [code, String(status)]);
    const documented = tableRows(section(API, 'Errors')).map(([status, code]) => [
      withoutTicks(code),
      status,
    ]);
    expect(sorted(documented)).toEqual(sorted(coded));
  });

  test('has every route of the search-only variant in its section, and no other', () => {
    expect(documentedRoutes('Search-only variant')).toEqual(names(searchOnlyApi(FAKE)));
  });

  test('has every route of the hybrid variant in its sections, and no other', () => {
    expect([
      ...documentedRoutes('Hybrid variant'),
      ...documentedRoutes('Extensions of the hybrid variant'),
    ]).toEqual(names(hybridApi(FAKE)));
  });

  test('has the routes outside the API', () => {
    const probes = probeRoutes({
      variant: 'hybrid',
      requestLimit: new RequestLimit(DEFAULT_SERVER_LIMITS),
      monitor: new QuietMonitor(),
    });
    const documents = ['GET /metrics', 'GET /openapi.json', 'GET /docs'];
    const served = [...names(probes), ...documents];
    expect(documentedRoutes('Outside the API')).toEqual(served);
  });

  test.each([
    ...withChapter('Search-only variant', searchOnlyApi(FAKE)),
    ...withChapter('Hybrid variant', hybridApi(FAKE).slice(0, 5)),
    ...withChapter('Extensions of the hybrid variant', hybridApi(FAKE).slice(5)),
  ])('says which fields $chapter takes at $method $path', ({ chapter, method, path, request }) => {
    const text = section(`\n${section(API, chapter)}`, `\`${method} ${path}\``, '###');
    const documented = [...tableRows(text, 'field'), ...inherited(text)].map(
      ([name, , byDefault]) => [
        withoutTicks(name),
        byDefault === 'required' ? 'required' : 'optional',
      ],
    );
    const taken = Object.entries(request.shape).map(([name, { _zod }]) => [
      name,
      _zod.optin === 'optional' ? 'optional' : 'required',
    ]);
    const only = text.includes('takes no fields') ? [] : [['projectPath', 'required']];
    expect(sorted(documented.length > 0 ? documented : only)).toEqual(sorted(taken));
  });
});

describe('docs/configuration.md', () => {
  const documented = tableRows(section(CONFIGURATION, 'Environment variables'), 'variable');

  test('has every variable that is read, and no other', () => {
    const rows = documented.map(([name = '']) => withoutTicks(name.replace(' *', '')));
    expect(rows.toSorted()).toEqual(VARIABLES);
  });

  test('has every option of the library with its variable, and no other', () => {
    const rows = tableRows(section(CONFIGURATION, 'Environment variables'), 'option');
    const fields = Object.values<Field>(FIELDS).filter(({ option }) => option !== undefined);
    expect(
      rows.map(([option, text = '']) => [withoutTicks(option), /`(\w+)`/.exec(text)?.[1]]),
    ).toEqual(fields.map(({ option, variable }) => [option, variable]));
  });

  test('marks the variables that may not be empty', () => {
    const marked = documented.flatMap(([name = '']) =>
      name.endsWith(' *') ? [withoutTicks(name.slice(0, -2))] : [],
    );
    const refused = VARIABLES.filter((name) => fails(() => readConfig({ [name]: '' })));
    expect(marked.toSorted()).toEqual(refused);
  });

  test.each<Field>(Object.values(FIELDS))('says the default of $variable', (field) => {
    const [, value = ''] =
      documented.find(([name]) => name?.includes(`\`${field.variable}\``)) ?? [];
    expect(withoutTicks(value)).toBe(describeDefault(field) ?? 'none');
  });

  test('has every setting with its default, and no other', () => {
    const settings = tableRows(section(CONFIGURATION, 'Settings of a project'));
    expect(settings.map(([name, value]) => [withoutTicks(name), withoutTicks(value)])).toEqual(
      expect.arrayContaining(
        Object.entries(DEFAULT_SETTINGS).map(([name, value]) => [name, JSON.stringify(value)]),
      ),
    );
    expect(settings).toHaveLength(Object.keys(DEFAULT_SETTINGS).length);
  });
});

test.each([
  ['docs/api.md', 'fusion', API, FUSIONS],
  ['docs/api.md', 'candidates', API, CANDIDATE_SETS],
])('%s lists the values of `%s`, and no others', (_, name, text, values) => {
  const rows = text.split('\n').filter((line) => line.startsWith(`| \`${name}\` |`));
  const listed = rows.map((row) => /(?:`"\w+"`, )+`"\w+"`/.exec(row)?.[0]);
  expect(listed).toContain(values.map((value) => `\`"${value}"\``).join(', '));
});

test('docs/configuration.md names every backend', () => {
  const [row = ''] = CONFIGURATION.match(/^\| `KNOWLEDGE_STORE` \|.*$/m) ?? [];
  expect(STORE_BACKENDS.filter((name) => !row.includes(`\`${name}\``))).toEqual([]);
});

test('bench/README.md has a row for each recorded version, and no other', () => {
  const rows = section(read('bench/README.md'), 'Versions', '###')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  expect(rows).toEqual(versionsTable(recordedVersions()).split('\n'));
});

test('--help names every variable that is read, and no other', () => {
  const named = [...VARIABLES_HELP.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(VARIABLES);
});

const VARIABLES = variablesRead();
const FAKE = fakeService();

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The text under a heading, up to the next one of its level or above. */
function section(text: string, title: string, marks = '##'): string {
  const begin = text.indexOf(`\n${marks} ${title}\n`);
  if (begin === -1) throw new Error(`There is no section ${title}.`);
  const rest = text.slice(begin + marks.length + title.length + 3);
  const end = rest.search(new RegExp(`^#{2,${marks.length}} `, 'm'));
  return end === -1 ? rest : rest.slice(0, end);
}

/** The cells of the rows of a text's tables, or of those whose first column has this head. */
function tableRows(text: string, head?: string): readonly (readonly string[])[] {
  const tables = text.match(/(?:^\|.*\n)+/gm) ?? [];
  return tables
    .map((table) => table.trim().split('\n').map(cellsOf))
    .filter(([first]) => head === undefined || first?.[0] === head)
    .flatMap(([, , ...rows]) => rows);
}

/** The fields of a search, where a text says so: "those of a [search], without `a` and `b`". */
function inherited(text: string): readonly (readonly string[])[] {
  const [, by, left = ''] =
    /fields are those of (?:a )?\[([^\]]*)\]\(#[\w-]+\)(?:, without ([^.]*))?[.;]/.exec(text) ?? [];
  if (by === undefined) return [];
  const named =
    by === 'search'
      ? section(`\n${section(API, 'Hybrid variant')}`, '`POST /api/knowledge/search`', '###')
      : section(`\n${API}`, '`POST /api/knowledge/x/search`', '###');
  const rows = [...tableRows(named, 'field'), ...inherited(named)];
  return rows.filter(([name = '']) => !left.includes(name));
}

function cellsOf(row: string): readonly string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function withoutTicks(text = ''): string {
  return text.replaceAll('`', '');
}

function sorted(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

function names(routes: readonly Route[]): readonly string[] {
  return routes.map(({ method, path }) => `${method} ${path}`);
}

function withChapter(chapter: string, routes: readonly Route[]) {
  return routes.map((route) => ({ chapter, ...route }));
}

function documentedRoutes(title: string): readonly string[] {
  return [...section(API, title).matchAll(/^### `((?:GET|POST|PUT|PATCH|DELETE) \/\S+)`$/gm)].map(
    ([, route = '']) => route,
  );
}

/** The names that the reading of the configuration asks for. */
function variablesRead(): readonly string[] {
  const asked = new Set<string>();
  const env = new Proxy<Record<string, string>>(
    {},
    {
      get(_, name) {
        asked.add(String(name));
        if (String(name).endsWith('_BASE_URL')) return 'http://127.0.0.1/v1';
        return String(name).endsWith('_MODEL') ? 'owner/name' : undefined;
      },
    },
  );
  readConfig(env);
  return [...asked].toSorted();
}

function fails(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
