import { parseFrontmatter } from '../../src/adapters/yaml/yaml-frontmatter-parser.js';
import type { CorePorts } from '../../src/app/core-ports.js';
import type { DescribeStats } from '../../src/app/knowledge-service.js';
import { type Core, createCore } from '../../src/app/wiring/create-core.js';
import { searchOnlyVariant } from '../../src/app/wiring/variant-modules.js';
import { hybridStats } from '../../src/domain/stats.js';
import { portsInMemory } from './ports-in-memory.js';

export type PortsInMemory = ReturnType<typeof portsInMemory>;

/** The use cases over ports in memory. `woken` counts how often background work was asked for. */
export interface CoreInMemory {
  readonly ports: PortsInMemory;
  readonly core: Core;
  readonly woken: () => number;
}

export function coreInMemory(
  replaced: Partial<CorePorts> = {},
  options: Parameters<typeof createCore>[2] = {},
): CoreInMemory {
  const ports = portsInMemory();
  const parts = searchOnlyVariant();
  const seen = { woken: 0 };
  const enrichment = {
    ...parts.enrichment,
    schedule: () => {
      seen.woken += 1;
    },
  };
  const core = createCore(
    { ...ports, frontmatter: { parse: parseFrontmatter }, ...replaced },
    { ...parts, enrichment, describeStats },
    options,
  );
  return { ports, core, woken: () => seen.woken };
}

const describeStats: DescribeStats = async (stats, usesVectors) =>
  hybridStats(stats, await usesVectors());

/** The ids of the chunks that a search finds, best first. */
export async function idsFound({ core }: Pick<CoreInMemory, 'core'>, query: string) {
  const { results } = await core.store.search('/project', query, { maxResults: 100 });
  return results.map(({ chunk }) => chunk.id);
}
