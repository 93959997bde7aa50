import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiReference } from './api-reference.js';

writeFileSync(
  fileURLToPath(new URL('../../docs/api-reference.md', import.meta.url)),
  apiReference(),
);
