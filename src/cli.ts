#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { bundled } from './process/bundled.js';

/** The command `knowledge-store`. */
const { runCommand } = await import(bundled());
await runCommand(fileURLToPath(import.meta.url));
