import { ConfigError } from '../config/config.js';
import type { KnowledgeStoreOptions } from '../config/options.js';
import { type HostOptions, PORTS, TOKENS } from './tokens.js';

/**
 * What a host program brings along.
 * @throws ConfigError for an unknown name, or a backend that is not an object
 */
export function hostOptionsOf({
  logger,
  watch,
  backends = {},
}: KnowledgeStoreOptions): HostOptions {
  const replaced = Object.entries(backends).filter(([, backend]) => backend !== undefined);
  for (const [name, backend] of replaced) check(name, backend);
  return {
    ports: { ...Object.fromEntries(replaced), ...(typeof logger === 'object' && { logger }) },
    ...(watch === true && { sources: 'watched' }),
  };
}

const { service: _, ...REPLACEABLE } = TOKENS;

function check(name: string, backend: unknown): void {
  const names = Object.keys({ ...REPLACEABLE, ...PORTS });
  if (!names.includes(name)) {
    throw new ConfigError(
      `backends.${name} must be one of the ports that can be replaced: ${names.join(', ')}.`,
    );
  }
  if (typeof backend !== 'object' || backend === null) {
    throw new ConfigError(`backends.${name} must be an object.`);
  }
}
