import type { Tag } from './open-api-document.js';

/**
 * The name of an operation: the path below its prefix, in camel case. `/ingest/agent-outputs` is
 * `ingestAgentOutputs`.
 */
export function operationIdOf(path: string): string {
  const { prefix } = groupOf(path);
  return path
    .slice(prefix.length)
    .replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function tagOf(path: string): string {
  return groupOf(path).tag.name;
}

/** The tags that these paths have. */
export function tagsOf(paths: readonly string[]): readonly Tag[] {
  return GROUPS.filter((group) => paths.some((path) => groupOf(path) === group)).map(
    ({ tag }) => tag,
  );
}

interface Group {
  readonly prefix: string;
  readonly tag: Tag;
}

const SERVICE: Group = {
  prefix: '/',
  tag: { name: 'Service', description: 'The state of the service itself.' },
};

const GROUPS: readonly Group[] = [
  {
    prefix: '/api/knowledge/',
    tag: { name: 'Knowledge', description: 'Indexing and searching the knowledge of a project.' },
  },
  {
    prefix: '/api/knowledge/x/',
    tag: {
      name: 'Extensions',
      description:
        'Lessons, similar chunks, notes, web pages, digests, sources, upkeep and status.',
    },
  },
  SERVICE,
];

/** The group with the longest matching prefix. */
function groupOf(path: string): Group {
  const [group = SERVICE] = GROUPS.filter(({ prefix }) => path.startsWith(prefix)).toSorted(
    (a, b) => b.prefix.length - a.prefix.length,
  );
  return group;
}
