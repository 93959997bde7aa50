#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { commandUrl } from './process/bundled.js';
import { refuseOldNode } from './process/node-version.js';

/** The command `knowledge-store`. */
refuseOldNode();
const { runCommand } = await import(commandUrl());
await runCommand(fileURLToPath(import.meta.url));
