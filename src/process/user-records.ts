import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { UserRecords } from '../adapters/cli/command-line-parts.js';
import type { CreatedPaths } from '../adapters/cli/settings-file.js';
import { JsonSessionConsents } from '../adapters/files/json-session-consents.js';
import type { Config } from '../app/config/fields.js';

/** The records about agents in the user's data folder. */
export function userRecords({ dataDir, embeddings, languageModel }: Config): UserRecords {
  return {
    consents: new JsonSessionConsents(dataDir),
    created: createdPaths(join(dataDir, 'created.json')),
    endpoints: [embeddings, languageModel].flatMap((endpoint) => endpoint?.baseUrl ?? []),
  };
}

function createdPaths(file: string): CreatedPaths {
  const paths = new Set<string>(readPaths(file));
  const save = () => {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, `${JSON.stringify([...paths])}\n`, { mode: 0o600 });
    } catch {
      // Without a record, created files are kept.
    }
  };
  return {
    has: (path) => paths.has(path),
    add: (path) => {
      paths.add(path);
      save();
    },
    delete: (path) => {
      paths.delete(path);
      save();
    },
  };
}

function readPaths(file: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(value) ? value.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}
