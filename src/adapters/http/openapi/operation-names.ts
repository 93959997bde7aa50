import type { Tag } from './open-api-document.js';

/** The name of an operation: the path below its prefix, in camel case. `/ingest/agent-outputs` is `ingestAgentOutputs`. */
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
    prefix: '/api/knowledge/x/',
    tag: {
      name: 'Extensions',
      description: 'Lessons from earlier features, similar chunks, upkeep and status.',
    },
  },
  {
    prefix: '/api/knowledge/',
    tag: { name: 'Knowledge', description: 'Indexing and searching the knowledge of a project.' },
  },
  SERVICE,
];

/** The first group with a prefix of the path. */
function groupOf(path: string): Group {
  return GROUPS.find(({ prefix }) => path.startsWith(prefix)) ?? SERVICE;
}
