#!/usr/bin/env node
import { USAGE } from './app/config/usage.js';
<<<<<<< HEAD
import { fail, serve } from './process/serve.js';
=======
import { createService, type Service } from './app/wiring/container.js';
import { reasonOf } from './domain/errors.js';
import { serveMcp } from './process/mcp.js';
>>>>>>> 48b7ee2 (Serve MCP on standard input and output: search, lessons, similar, status and ingest)

/** The service as a process of its own, configured by environment variables alone: what `npm start` runs. */
async function main(): Promise<void> {
  const [argument] = process.argv.slice(2);
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(USAGE);
    return;
  }
  if (argument === 'mcp') {
    await serveMcp(process.env, process.cwd());
    return;
  }
  if (argument !== undefined) throw new Error(`Unknown argument "${argument}"; see --help.`);
  await serve(process.env);
}

main().catch(fail);
