import { USAGE } from '../app/config/usage.js';
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
