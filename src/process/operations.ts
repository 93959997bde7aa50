import type { OpenOptions, Operations } from '../adapters/cli/command-line-parts.js';
import type { CommandContext } from './compose-command.js';
import { servedOperations } from './local/served-operations.js';
import { runningService, startService } from './local/start.js';

/**
 * The service behind a command. It is the local service or, if that is turned off or unavailable, one in this process.
 * Both use the routes of the hybrid variant, whatever the configured variant is.
 * @throws ConfigError
 */
export async function openOperations(
  world: CommandContext,
  options: OpenOptions,
): Promise<Operations> {
  const { env } = world;
  const open = async () => (await import('./compose-command.js')).inThisProcess(world, options);
  const find = async () => {
    const onSlow = () => {
      if (options.logLevel !== 'silent') world.err('Starting the local service.\n');
    };
    return options.service === 'started' ? startService({ env, onSlow }) : runningService(env);
  };
  const service = options.service === 'none' ? undefined : await find();
  return service === undefined ? open() : servedOperations(service, { env, open, find });
}
