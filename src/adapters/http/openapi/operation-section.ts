import { fieldsTable } from './fields-table.js';
import { type Html, html, withCode } from './html.js';
import type {
  JsonSchema,
  OpenApiDocument,
  Operation,
  OperationResponse,
  Parameter,
} from './open-api-document.js';

/** An operation and the words that call it. */
export interface NamedOperation extends Operation {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly needsToken: boolean;
}

export function operationsOf({
  paths,
  security,
}: Pick<OpenApiDocument, 'paths' | 'security'>): readonly NamedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      needsToken: (operation.security ?? security).length > 0,
    })),
  );
}

/** Everything about one operation. */
export function operationSection(operation: NamedOperation): Html {
  const { operationId, method, path, summary, responses } = operation;
  const { 200: success, 201: created, ...errors } = responses;
  return html`<section id="${operationId}">
<h3><span class="method">${method}</span> <code>${path}</code></h3>
<p>${summary}${operation.security?.length === 0 ? ' Needs no token.' : ''}</p>
${requestOf(operation)}
<h4>Example</h4>
<pre><code>${curlOf(operation)}</code></pre>
<h4>Response</h4>
${success === undefined ? html`` : fieldsTable(schemaOf(success))}
${created === undefined ? html`` : html`<h4>Response with status 201</h4>\n${fieldsTable(schemaOf(created))}`}
<details><summary>Errors</summary>
<table>
<thead><tr><th>status</th><th>code and meaning</th></tr></thead>
<tbody>${Object.entries(errors).map(errorRow)}</tbody>
</table></details>
</section>
`;
}

/** A request with the required fields alone; `$URL` is the address of the service. */
function curlOf({
  method,
  path,
  needsToken,
  parameters = [],
  requestBody,
}: NamedOperation): string {
  const given = parameters.filter(({ required }) => required);
  const valueIn = ({ name, schema }: Parameter) => encodeURIComponent(exampleOf(name, schema));
  const target = given
    .filter((parameter) => parameter.in === 'path')
    .reduce((url, parameter) => url.replace(`{${parameter.name}}`, valueIn(parameter)), path);
  const query = given
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => `${parameter.name}=${valueIn(parameter)}`);
  const { properties = {}, required = [] } = requestBody ? schemaOf(requestBody) : {};
  const schemas = properties as Readonly<Record<string, JsonSchema>>;
  const fields = required.map((name) => [name, exampleOf(name, schemas[name] ?? {})] as const);
  const body = JSON.stringify(Object.fromEntries(fields)).replaceAll("'", "'\\''");
  return [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} "$URL${[target, ...query].join('&').replace('&', '?')}"`,
    ...(needsToken ? ['-H "Authorization: Bearer $KNOWLEDGE_TOKEN"'] : []),
    ...(requestBody ? ["-H 'Content-Type: application/json'", `-d '${body}'`] : []),
  ].join(' \\\n  ');
}

function exampleOf(name: string, schema: JsonSchema): string {
  const [example = EXAMPLES[name] ?? 'text'] = (schema['examples'] ?? []) as readonly unknown[];
  return String(example);
}

const EXAMPLES: Readonly<Record<string, string>> = {
  projectPath: '/path/to/project',
  query: 'write lock',
  id: 'write-lock',
  sourceFile: 'docs/guide.md',
};

/** Parameters are shown like the fields of a body. */
function requestOf({ parameters = [], requestBody }: Operation): Html {
  const body = requestBody && html`<h4>Body</h4>\n${fieldsTable(schemaOf(requestBody))}`;
  return html`${parametersTable('Path', parameters)}${parametersTable('Query', parameters)}${body ?? html``}`;
}

function parametersTable(place: 'Path' | 'Query', all: readonly Parameter[]): Html {
  const parameters = all.filter((parameter) => parameter.in === place.toLowerCase());
  if (parameters.length === 0) return html``;
  const properties = parameters.map(({ name, schema, description }) => [
    name,
    { ...schema, description },
  ]);
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return html`<h4>${place}</h4>
${fieldsTable({ type: 'object', properties: Object.fromEntries(properties), required })}`;
}

function schemaOf({ content }: Pick<OperationResponse, 'content'>): JsonSchema {
  return 'text/plain' in content
    ? content['text/plain'].schema
    : content['application/json'].schema;
}

function errorRow([status, { description }]: readonly [string, OperationResponse]): Html {
  return html`<tr><td>${status}</td><td>${withCode(description)}</td></tr>
`;
}
