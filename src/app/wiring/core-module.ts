import { ContainerModule } from 'inversify';
import { sourceResources } from '../../adapters/mcp/resources/source-resources.js';
import { knowledgeTools } from '../../adapters/mcp/tools/knowledge-tools.js';
import { type CorePorts, createCore } from './create-core.js';
import {
  CONFIG,
  CORE,
  CORE_PORTS,
  PORTS,
  RELEASE_PROJECT,
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
  bind(CORE).toResolvedValue(createCore, [CORE_PORTS, VARIANT_PARTS, CONFIG]);
  bind(RELEASE_PROJECT).toDynamicValue(
    ({ get }) =>
      (projectPath) =>
        get(CORE).projects.release(projectPath),
  );
  bind(TOOLS).toResolvedValue(knowledgeTools, [CORE]);
  bind(RESOURCES).toResolvedValue(({ sources }) => sourceResources(sources), [CORE]);
});
