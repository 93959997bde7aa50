import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Environment, runCommand } from './running-service.js';
import { tempDirectory } from './temp-project.js';

/** The paths of the files that V8 loads for a command. */
export async function filesLoadedBy(
  words: readonly string[],
  cwd: string,
  environment: Environment,
): Promise<readonly string[]> {
  const folder = tempDirectory('knowledge-coverage-');
  await runCommand(words, cwd, { ...environment, NODE_V8_COVERAGE: folder });
  const [report = ''] = await readdir(folder);
  const { result } = JSON.parse(await readFile(join(folder, report), 'utf8'));
  return result.flatMap(({ url }: { readonly url: string }) =>
    url.startsWith('file:') ? fileURLToPath(url) : [],
  );
}
