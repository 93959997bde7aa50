#!/usr/bin/env node
import { bundled } from './process/bundled.js';

/** The service as a process of its own: what `npm start` runs. */
const { runService } = await import(bundled('service'));
await runService(process.argv.slice(2));
