import { hrefOf } from '../shared/place.js';
import { figure } from '../shared/text.js';
import type { Schema } from './document.js';

/** The fields of an object and of nested objects. */
export function Fields({ schema = {} }: { readonly schema: Schema | undefined }) {
  const { properties, required = [], $ref } = schema;
  const fields = Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>);
  if ($ref !== undefined) return <Type schema={schema} />;
  if (fields.length === 0) return <p class="muted">{schema.description ?? 'No fields.'}</p>;
  return (
    <dl class="fields">
      {fields.map(([name, field]) => (
        <div key={name}>
          <dt>
            <code>{name}</code> {!required.includes(name) && <small>optional</small>}
          </dt>
          <dd>
            <small>
              <Type schema={field} />
            </small>{' '}
            <Code text={field.description ?? ''} />
            {itemsOf(field).properties && <Fields schema={itemsOf(field)} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Text with the words between backticks shown as code. */
export function Code({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split('`')
        .map((part, index) =>
          index % 2 === 1 ? <code key={`${index} ${part}`}>{part}</code> : part,
        )}
    </>
  );
}

function Type({ schema }: { readonly schema: Schema }) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return <a href={hrefOf({ page: 'api', fields: { at: name } })}>{name}</a>;
  }
  if (schema.type === 'array') {
    return (
      <>
        list of <Type schema={itemsOf(schema)} />
      </>
    );
  }
  return <>{wordsOf(schema)}</>;
}

function wordsOf(schema: Schema): string {
  const { const: constant, enum: values, anyOf, type, minimum, maximum } = schema;
  if (type === 'array') return `list of ${wordsOf(itemsOf(schema))}`;
  if (constant !== undefined) return JSON.stringify(constant);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf !== undefined) return anyOf.map((part) => wordsOf(part as Schema)).join(' or ');
  const range = [
    minimum !== undefined && `from ${figure(minimum)}`,
    maximum !== undefined && `to ${figure(maximum)}`,
  ].filter((part) => part !== false);
  return [type === 'integer' ? 'whole number' : (type ?? 'any value'), ...range].join(' ');
}

/** The schema of a list's items; returns any other schema unchanged. */
function itemsOf(schema: Schema): Schema {
  const { items } = schema;
  return typeof items === 'object' && !Array.isArray(items) ? items : schema;
}
