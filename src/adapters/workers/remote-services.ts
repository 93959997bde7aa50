import { isRecord } from '../../domain/records.js';
import {
  type MethodKind,
  type ProjectServices,
  SERVICE_METHODS,
  type ServiceName,
} from '../../ports/driving/service-methods.js';
import type { ServiceCall } from './messages.js';
import type { RunOptions } from './open-calls.js';

export type RunCall = (call: ServiceCall, options: RunOptions) => Promise<unknown>;

/** The driving ports of a core in another process. */
export function remoteServices(run: RunCall, local: LocalMethods): ProjectServices {
  const services = Object.entries(SERVICE_METHODS).map(([service, methods]) => [
    service,
    remoteMethods(service as ServiceName, methods, run),
  ]);
  const remote = Object.fromEntries(services) as ProjectServices;
  return { ...remote, store: { ...remote.store, ...local } };
}

/** The methods that concern no project. */
export type LocalMethods = Pick<ProjectServices['store'], 'getModelStatus'>;

function remoteMethods(
  service: ServiceName,
  methods: Readonly<Record<string, MethodKind>>,
  run: RunCall,
): object {
  const entries = Object.entries(methods).map(([method, kind]) => [
    method,
    async (...args: readonly unknown[]) => {
      const { plain, options } = separated(args);
      const isTracked = options !== undefined;
      return run(
        { service, method, kind, args: plain, ...(isTracked && { isTracked }) },
        options ?? {},
      );
    },
  ]);
  return Object.fromEntries(entries);
}

/** Functions and signals, which only the last argument can have, stay in this process. */
function separated(args: readonly unknown[]): {
  readonly plain: readonly unknown[];
  readonly options?: RunOptions;
} {
  const last = args.at(-1);
  if (!isRecord(last) || !('onProgress' in last || 'signal' in last)) return { plain: args };
  const { onProgress, signal, ...rest } = last as RunOptions;
  return { plain: [...args.slice(0, -1), rest], options: { onProgress, signal } };
}
