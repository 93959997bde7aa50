import { ContainerModule } from 'inversify';
import { type CorePorts, createCore } from './create-core.js';
import {
  CONFIG,
  CORE,
  CORE_OPTIONS,
  CORE_PORTS,
  NEIGHBOURS,
  PORTS,
  RELEASE_PROJECT,
  VARIANT_PARTS,
} from './tokens.js';

/** Binds the use cases, composed over the ports and the variant that are bound elsewhere. */
export const coreModule = new ContainerModule(({ bind }) => {
  bind(CORE_PORTS).toDynamicValue(({ get }) => {
    const ports = Object.entries(PORTS).map(([name, port]) => [name, get<unknown>(port)]);
    return Object.fromEntries(ports) as CorePorts;
  });
  bind(NEIGHBOURS).toConstantValue({});
  bind(CORE_OPTIONS).toResolvedValue(({ idleSeconds }) => ({ idleSeconds }), [CONFIG]);
  bind(CORE).toResolvedValue(createCore, [CORE_PORTS, VARIANT_PARTS, CORE_OPTIONS]);
  bind(RELEASE_PROJECT).toDynamicValue(
    ({ get }) =>
      (projectPath) =>
        get(CORE).projects.release(projectPath),
  );
});
