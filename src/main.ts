#!/usr/bin/env node
import { USAGE } from './app/config/usage.js';
import { fail, serve } from './process/serve.js';

/** The service as a process of its own, configured by environment variables alone: what `npm start` runs. */
async function main(): Promise<void> {
  const [argument] = process.argv.slice(2);
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(USAGE);
    return;
  }
  if (argument !== undefined) throw new Error(`Unknown argument "${argument}"; see --help.`);
  await serve(process.env);
}

main().catch(fail);
