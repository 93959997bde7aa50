#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { bundled } from './process/bundled.js';

/** Runs the service, as `npm start` does. */
const { runService } = await import(bundled());
await runService(fileURLToPath(import.meta.url));
