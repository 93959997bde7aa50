interface MethodAndPath {
  readonly method: string;
  readonly path: string;
}

/** A route, and the fields filled by the path of a request. */
interface FoundRoute<Route> {
  readonly route: Route;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Finds the route with a name such as `GET /api/knowledge/x/notes/{id}`. The name may hold values in place of path
 * fields, percent-encoded. Undefined if there is no such route.
 */
export function findRoute<Route extends MethodAndPath>(
  routes: readonly Route[],
  name: string,
): FoundRoute<Route> | undefined {
  const [method, path = ''] = name.split(' ');
  for (const route of routes) {
    const fields = route.method === method ? readPath(route.path, path) : undefined;
    if (fields !== undefined) return { route, fields };
  }
  return undefined;
}

function readPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const fields: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? '';
    if (value === segment) continue;
    const isFilled = segment.startsWith('{') && value !== '' && !/[{}]/.test(value);
    if (!isFilled) return undefined;
    fields[segment.slice(1, -1)] = decodeURIComponent(value);
  }
  return fields;
}
