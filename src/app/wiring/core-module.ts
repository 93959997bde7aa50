import { ContainerModule } from 'inversify';
import { sourceResources } from '../../adapters/mcp/resources/source-resources.js';
import { knowledgeTools } from '../../adapters/mcp/tools/knowledge-tools.js';
import { IdleProjects } from '../projects/idle-projects.js';
import { type Core, type CorePorts, createCore, type VariantParts } from './create-core.js';
import {
  CORE,
  CORE_PORTS,
  IDLE_PROJECTS,
  PORTS,
  RESOURCES,
  TOOLS,
  VARIANT_PARTS,
} from './tokens.js';

/**
 * Binds the use cases, composed over the ports and the variant that are bound elsewhere, and the MCP tools and
 * resources that call them.
 */
export const coreModule = new ContainerModule(({ bind }) => {
  bind(CORE_PORTS).toDynamicValue(({ get }) => {
    const ports = Object.entries(PORTS).map(([name, port]) => [name, get<unknown>(port)]);
    return Object.fromEntries(ports) as CorePorts;
  });
  bind(IDLE_PROJECTS).toConstantValue(new IdleProjects());
  bind(CORE).toResolvedValue(createListeningCore, [CORE_PORTS, VARIANT_PARTS, IDLE_PROJECTS]);
  bind(TOOLS).toResolvedValue(knowledgeTools, [CORE]);
  bind(RESOURCES).toResolvedValue(({ sources }) => sourceResources(sources), [CORE]);
});

/** A core that gives up what it keeps for idle projects. */
function createListeningCore(ports: CorePorts, variant: VariantParts, idle: IdleProjects): Core {
  const core = createCore(ports, variant);
  idle.listen((projectPath) => core.projects.release(projectPath));
  return core;
}
