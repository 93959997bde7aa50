import { randomUUID } from 'node:crypto';
import { schemaName } from '../../../src/adapters/postgres/database/project-schema.js';
import type { ProjectKeys } from '../../../src/ports/project-directories.js';
import { executeAs } from '../../support/execute-as.js';

interface SchemaKeysOptions {
  readonly url: string;
  readonly schemas?: 'reused';
}

/** Keys of projects whose schemas exist and are empty, by server. */
const SPARE = new Map<string, string[]>();

/** Keys for projects without a directory; each names a schema, which another test may have used before. */
export class SchemaKeys implements ProjectKeys {
  readonly #options: SchemaKeysOptions;
  readonly #keys = new Map<string, string>();
  readonly #opened = new Set<string>();
  readonly #discarded = new Set<string>();

  constructor(options: SchemaKeysOptions) {
    this.#options = options;
  }

  /** The key of a project; one that was not opened yet gets a key without a schema. */
  keyOf(path: string): string {
    const key = this.#keys.get(path) ?? randomUUID();
    this.#keys.set(path, key);
    return key;
  }

  /** The schema of a project is not used by another test. */
  discard(path: string): void {
    this.#discarded.add(this.keyOf(path));
  }

  async find(path: string): Promise<string | undefined> {
    return this.#opened.has(path) ? this.keyOf(path) : undefined;
  }

  async open(path: string): Promise<string> {
    this.#opened.add(path);
    if (!this.#keys.has(path)) this.#keys.set(path, this.#spareKey() ?? randomUUID());
    return this.keyOf(path);
  }

  /** Empties or drops the schemas of the projects that were opened. */
  async release(): Promise<void> {
    const keys = [...this.#opened].map((path) => this.keyOf(path));
    const { url, schemas } = this.#options;
    const [kept, dropped] = [new Set<string>(), new Set<string>()];
    for (const key of keys)
      (schemas === 'reused' && !this.#discarded.has(key) ? kept : dropped).add(key);
    const statements = [...[...kept].map(emptying), ...[...dropped].map(dropping)];
    if (statements.length > 0) await executeAs(url, statements.join(''));
    SPARE.set(url, [...(SPARE.get(url) ?? []), ...kept]);
  }

  #spareKey(): string | undefined {
    const { url, schemas } = this.#options;
    return schemas === 'reused' ? SPARE.get(url)?.pop() : undefined;
  }
}

/** Drops the schemas that are kept for further tests. */
export async function dropSpareSchemas(url: string): Promise<void> {
  await executeAs(url, (SPARE.get(url) ?? []).map(dropping).join(''));
  SPARE.delete(url);
}

function emptying(key: string): string {
  const schema = schemaName(key);
  return `DELETE FROM ${schema}.chunks; DELETE FROM ${schema}.sources; DELETE FROM ${schema}.leases;
    DELETE FROM ${schema}.names;
    UPDATE knowledge_store.projects SET refill_needed = false WHERE schema_name = '${schema}';`;
}

function dropping(key: string): string {
  const schema = schemaName(key);
  return `DROP SCHEMA IF EXISTS ${schema} CASCADE;
    DELETE FROM knowledge_store.projects WHERE schema_name = '${schema}';`;
}
