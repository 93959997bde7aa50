import { type Html, html, joined, withCode } from './html.js';
import type { JsonSchema } from './open-api-document.js';

/** The fields of an object, with those of objects inside it, or a reference to its schema. */
export function fieldsTable(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) return html`<p>${typeOf(schema)}</p>`;
  const rows = fieldsOf(schema);
  if (rows.length === 0) return html`<p>No fields.</p>`;
  return html`<table>
<thead><tr><th>field</th><th>type</th><th>meaning</th></tr></thead>
<tbody>${rows.map(rowOf)}</tbody>
</table>`;
}

interface Field {
  /** Below the outermost object: `model.state`, `chunks[].id`. */
  readonly name: string;
  readonly presence: 'required' | 'optional';
  readonly schema: JsonSchema;
}

function fieldsOf(object: JsonSchema, prefix = ''): readonly Field[] {
  const { properties = {}, required = [] } = object;
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([key, schema]) => {
    const name = prefix + key;
    const presence = required.includes(key) ? 'required' : 'optional';
    return [{ name, presence, schema } as const, ...fieldsInside(schema, name)];
  });
}

function fieldsInside(schema: JsonSchema, name: string): readonly Field[] {
  return schema.type === 'array'
    ? fieldsOf(itemsOf(schema), `${name}[].`)
    : fieldsOf(schema, `${name}.`);
}

function rowOf({ name, presence, schema }: Field): Html {
  const mark = presence === 'optional' ? html` <small>optional</small>` : html``;
  return html`<tr>
<td><code>${name}</code>${mark}</td>
<td>${typeOf(schema)}</td>
<td>${withCode(schema.description ?? '')}</td>
</tr>
`;
}

function typeOf(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) return linkTo(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return html`${joined(schema.enum.map(literal), ', ')}`;
  if (schema.anyOf !== undefined) return html`${joined(alternatives(schema.anyOf), ' or ')}`;
  if (schema.type === 'array') return html`list of ${typeOf(itemsOf(schema))}`;
  if (schema.type === 'integer') return html`whole number${rangeOf(schema)}`;
  return html`${String(schema.type ?? 'any value')}${rangeOf(schema)}`;
}

/** The address of a schema in the page. */
export function anchorOf(schemaName: string): string {
  return `schema-${schemaName}`;
}

function linkTo(reference: string): Html {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return html`<a href="#${anchorOf(name)}">${name}</a>`;
}

function literal(value: unknown): Html {
  return html`<code>${JSON.stringify(value)}</code>`;
}

function alternatives(schemas: readonly unknown[]): readonly Html[] {
  return schemas.map((schema) => typeOf(schema as JsonSchema));
}

function itemsOf({ items }: JsonSchema): JsonSchema {
  return typeof items === 'object' && !Array.isArray(items) ? items : {};
}

function rangeOf({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined) return '';
  return maximum === undefined
    ? `, at least ${grouped(minimum)}`
    : `, ${grouped(minimum)} to ${grouped(maximum)}`;
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}
