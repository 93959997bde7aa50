import { VARIABLES_HELP } from '../app/config/fields.js';
import { fail, serve } from './serve.js';

/** Runs the service, configured by environment variables alone; `--help` is its one argument. */
export function runService(args: readonly string[]): Promise<void> {
  return run(args).catch(fail);
}

async function run([argument]: readonly string[]): Promise<void> {
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(USAGE);
    return;
  }
  if (argument !== undefined) throw new Error(`Unknown argument "${argument}"; see --help.`);
  await serve(process.env);
}

const USAGE = `knowledge-store: a per-project knowledge store for coding agents, over REST.

Usage: npm start            (or: knowledge-store serve)

Environment:
${VARIABLES_HELP}
`;
