import { shellQuoted } from '../shared/text.js';
import type { NamedOperation, Schema } from './document.js';

/** A request with the required fields only. `$URL` is the address of the service. */
export function exampleCurl(operation: NamedOperation): string {
  const { method, path, needsToken, parameters = [], requestBody, request } = operation;
  const { required = [], properties = {} } = request;
  const schemas = properties as Readonly<Record<string, Schema>>;
  const value = (name: string) => encodeURIComponent(exampleOf(name, schemas[name]));
  const query = parameters
    .filter((parameter) => parameter.required && parameter.in === 'query')
    .map(({ name }) => `${name}=${value(name)}`);
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => value(name));
  const inBody = required.filter((name) => !parameters.some((other) => other.name === name));
  const fields = inBody.map((name) => [name, exampleOf(name, schemas[name])]);
  const body = shellQuoted(JSON.stringify(Object.fromEntries(fields)));
  return [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} "$URL${[target, ...query].join('&').replace('&', '?')}"`,
    ...(needsToken ? ['-H "Authorization: Bearer $KNOWLEDGE_TOKEN"'] : []),
    ...(requestBody ? ["-H 'Content-Type: application/json'", `-d ${body}`] : []),
  ].join(' \\\n  ');
}

function exampleOf(name: string, schema: Schema = {}): string {
  const [example = EXAMPLES[name] ?? 'text'] = (schema['examples'] ?? []) as readonly unknown[];
  return String(example);
}

const EXAMPLES: Readonly<Record<string, string>> = {
  projectPath: '/path/to/project',
  query: 'write lock',
  id: 'write-lock',
  sourceFile: 'docs/guide.md',
};
