#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { bundled } from './process/bundled.js';

/** The service as a process of its own: what `npm start` runs. */
const { runService } = await import(bundled());
await runService(fileURLToPath(import.meta.url));
