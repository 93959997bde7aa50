import { tempDirectory } from '../../test/support/temp-project.js';
import { TINY_MODEL, writeTinyModel } from '../../test/support/tiny-model.js';

/** Environment of a service that embeds with the tiny model. */
export async function tinyModelEnvironment(): Promise<Readonly<Record<string, string>>> {
  const data = tempDirectory('knowledge-data-');
  await writeTinyModel(`${data}/models`);
  return { DATA_DIR: data, KNOWLEDGE_MODEL: TINY_MODEL };
}
