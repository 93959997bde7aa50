import { fieldsTable } from './fields-table.js';
import { type Html, html, withCode } from './html.js';
import type {
  JsonSchema,
  Operation,
  OperationResponse,
  Parameter,
  PathItem,
} from './open-api-document.js';

/** An operation and the words that call it. */
export interface NamedOperation extends Operation {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
}

export function operationsOf(paths: Readonly<Record<string, PathItem>>): readonly NamedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
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
