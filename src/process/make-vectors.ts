/** Entry point of the process that makes the vectors that a project lacks, and ends; the argument is the project. */
import { createPinoLogger } from '../adapters/system/pino-logger.js';
import { readConfig } from '../app/config/read-config.js';
import { composeService } from '../app/wiring/compose-service.js';
import { embedderModule } from '../app/wiring/embedder-module.js';
import { noLanguageModel } from '../app/wiring/null-objects.js';
import { reasonOf } from '../domain/errors.js';
import { keepAlive } from '../shared/keep-alive.js';

const [, , projectPath = ''] = process.argv;
const logger = createPinoLogger('info');
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => stopping.abort());
process.exitCode = await keepAlive(makeVectors());

async function makeVectors(): Promise<0 | 1> {
  const service = composeService(
    readConfig(process.env),
    { ports: { logger, questionGenerator: noLanguageModel }, background: 'later' },
    embedderModule,
  );
  stopping.signal.addEventListener('abort', () => void service.stop());
  try {
    const outcome = await service.missingVectors.complete(projectPath, stopping.signal);
    logger.info('The process that makes vectors ends.', { project: projectPath, outcome });
    return outcome === 'stalled' ? 1 : 0;
  } catch (error) {
    logger.error('Vectors could not be made.', { project: projectPath, reason: reasonOf(error) });
    return stopping.signal.aborted ? 0 : 1;
  } finally {
    await service.stop();
  }
}
