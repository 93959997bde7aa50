#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { bundled } from './process/bundled.js';
import { refuseOldNode } from './process/node-version.js';

/** The command `knowledge-store`. */
refuseOldNode();
const { runCommand } = await import(bundled());
await runCommand(fileURLToPath(import.meta.url));
