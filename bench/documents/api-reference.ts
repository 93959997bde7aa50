import { createDocument } from '../../src/adapters/http/openapi/document.js';
import type { JsonSchema, Operation } from '../../src/adapters/http/openapi/open-api.js';
import { hybridApi } from '../../src/app/routes/hybrid-api.js';
import { searchOnlyApi } from '../../src/app/routes/search-only-api.js';
import { fakeService } from '../../test/fakes/fake-service.js';

/** The text of docs/api-reference.md: all routes with their fields and responses, generated from the schemas. */
export function apiReference(): string {
  const service = fakeService();
  return [
    HEAD,
    '## Search-only variant',
    ...routesText('search-only', searchOnlyApi(service)),
    '## Hybrid variant',
    ...routesText('hybrid', hybridApi(service)),
    '',
  ].join('\n\n');
}

const HEAD = `# Reference of the REST API

\`npm run reference\` writes this page from the schemas of the code; do not edit it. [REST API](api.md) explains the routes, with an
example of each and the meaning of every [error](api.md#errors).`;

function routesText(variant: string, routes: ReturnType<typeof hybridApi>): readonly string[] {
  const { paths } = createDocument({ routes, variant, access: 'open' });
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => [
      `### ${method.toUpperCase()} ${path}`,
      ...operationText(operation),
    ]),
  );
}

function operationText({ summary, parameters, requestBody, responses }: Operation) {
  const body = requestBody === undefined ? [] : bodyFields(requestBody.content);
  const rows = [...(parameters ?? []), ...body].map(
    ({ name, required, schema, description }) =>
      `| \`${name}\` | ${typeOf(schema)} | ${required ? 'yes' : 'no'} | ${cell(description)} |`,
  );
  const fields =
    rows.length === 0
      ? ['No fields.']
      : [['| field | type | required | meaning |', '|---|---|---|---|', ...rows].join('\n')];
  const statuses = Object.entries(responses).map(([status, { description }]) =>
    [status, ...(description.match(/`\w+`(?=: )/g) ?? [])].join(' '),
  );
  return [summary, ...fields, `Responses: ${statuses.join(', ')}.`];
}

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

function bodyFields(content: NonNullable<Operation['requestBody']>['content']): readonly Field[] {
  const schema = content['application/json']?.schema ?? {};
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const own = typeof field === 'object' ? (field as JsonSchema) : {};
    const required = schema.required?.includes(name) === true;
    return { name, required, description: own.description ?? '', schema: own };
  });
}

/** Describes a type: `list of string`, `"rrf", "blend"`, `integer, 1 to 1000`. */
function typeOf(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => code(value)).join(', ');
  if (schema.const !== undefined) return code(schema.const);
  if (schema.$ref !== undefined) return String(schema.$ref.split('/').at(-1));
  const parts = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined;
  if (parts !== undefined) return parts.map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as JsonSchema)}`;
  const { minimum, maximum } = schema;
  const isSafe = (bound: unknown) => Math.abs(Number(bound)) < Number.MAX_SAFE_INTEGER;
  const bounds = isSafe(minimum) && isSafe(maximum) ? `, ${minimum} to ${maximum}` : '';
  return `${schema.type ?? 'any'}${bounds}`;
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
