#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { commandUrl } from './process/bundled.js';
import { refuseOldNode } from './process/node-version.js';

/** Runs the service, as `npm start` does. */
refuseOldNode();
const { runService } = await import(commandUrl());
await runService(fileURLToPath(import.meta.url));
