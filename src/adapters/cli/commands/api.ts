import type { Fields } from '../command-line-parts.js';
import { UsageError } from '../exit.js';
import type { Session } from '../session.js';
import { shownJson } from '../text/format.js';
import { argument, type ProjectCommand } from './command.js';

export const api: ProjectCommand = {
  name: 'api',
  summary: 'call any route of the service',
  description:
    'Calls a route of the hybrid variant and prints its JSON. A path such as /x/digests is relative to /api/knowledge. The field projectPath is added unless --field sets it. A value is text unless it is a JSON number, boolean or list; - reads standard input. docs/api.md lists the routes.',
  arguments: [
    argument('<method>', 'method', 'GET, POST, PUT, PATCH or DELETE'),
    argument('<path>', 'path', 'such as /x/digests'),
  ],
  options: [
    ['-f, --field <field=value...>', 'a field of the request, repeatable'],
    ['--in-process', 'run in this process, without the local service'],
  ],
  examples: [
    'api GET /stats',
    'api POST /x/digests -f category=database',
    'api POST /x/documents -f path=handbook/on-call.md -f content=- < on-call.md',
    'api DELETE /x/sources -f sourceFile=docs/old.md',
  ],
  needs: { model: 'installed', output: 'text' },
  work: async (session, { method, path, field = [] }) => {
    const [name = '', query = ''] = String(path).split(/\?(.*)/s);
    const route = `${String(method).toUpperCase()} ${fullPath(name)}`;
    const given = await parseAssignments(session, [field].flat().map(String));
    const fields = { ...Object.fromEntries(new URLSearchParams(query)), ...given };
    session.terminal.out(`${shownJson(await session.request(route, fields))}\n`);
  },
};

function fullPath(path: string): string {
  return path.startsWith('/api/') ? path : `/api/knowledge/${path.replace(/^\/+/, '')}`;
}

async function parseAssignments({ terminal }: Session, given: readonly string[]): Promise<Fields> {
  const fields: Record<string, unknown> = {};
  for (const one of given) {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(one) ?? [];
    if (name === undefined || value === undefined) {
      throw new UsageError(`A field must be name=value; it is "${one}".`);
    }
    fields[name] = value === '-' ? await terminal.readInput() : parseValue(value);
  }
  return fields;
}

function parseValue(text: string): unknown {
  if (!/^(?:true|false|-?\d+(?:\.\d+)?|\[.*\]|\{.*\}|".*")$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
