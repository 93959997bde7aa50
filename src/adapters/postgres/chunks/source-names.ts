import type { SourceDocument } from '../../../domain/chunks/chunk.js';
import { headerText, nameWords } from '../../../domain/chunks/source-names.js';
import { tokenize } from '../../stemmer/tokens.js';
import { type Columns, inlineTable, Parameters, type SchemaSession } from '../database/session.js';
import { toTsvector } from './indexed-words.js';

/** The names by which a source is found. Its header, which is made of them, gets a vector of its own. */

type Named = Pick<SourceDocument, 'sourceFile' | 'names'>;

const COLUMNS: Columns<Named & { readonly tokens: readonly string[] }> = {
  source_file: ['text', ({ sourceFile }) => sourceFile],
  header: ['text', headerText],
  name_count: ['integer', ({ tokens }) => tokens.length],
  name_positions: ['tsvector', ({ tokens }) => toTsvector([tokens])],
};

/** Stores the names of sources. Discards the vector of a header that has changed. */
export function writeNames(target: SchemaSession, sources: readonly Named[]): Promise<unknown> {
  return insertNames(
    target,
    sources,
    `DO UPDATE SET header = excluded.header, name_count = excluded.name_count,
       name_positions = excluded.name_positions,
       model = CASE WHEN names.header = excluded.header THEN names.model END,
       vector = CASE WHEN names.header = excluded.header THEN names.vector END`,
  );
}

/** Gives names to sources that have none. */
export function addMissingNames(
  target: SchemaSession,
  sourceFiles: Iterable<string>,
): Promise<unknown> {
  const sources = Array.from(new Set(sourceFiles), (sourceFile) => ({ sourceFile }));
  return insertNames(target, sources, 'DO NOTHING');
}

/** Deletes the names of a source that is no longer indexed. */
export function deleteNames(
  { session, schema }: SchemaSession,
  sourceFile: string,
): Promise<unknown> {
  return session.query(`DELETE FROM ${schema}.names WHERE source_file = $1`, [sourceFile]);
}

/** Deletes the names of those source files that are not indexed and no longer have a chunk. */
export function forgetNames(
  { session, schema }: SchemaSession,
  sourceFiles: readonly string[],
): Promise<unknown> {
  return session.query(
    `DELETE FROM ${schema}.names n WHERE source_file = ANY($1)
       AND NOT EXISTS (SELECT 1 FROM ${schema}.sources s WHERE s.source_file = n.source_file)
       AND NOT EXISTS (SELECT 1 FROM ${schema}.chunks c WHERE c.source_file = n.source_file)`,
    [sourceFiles],
  );
}

function insertNames(
  { session, schema }: SchemaSession,
  sources: readonly Named[],
  onConflict: string,
) {
  const parameters = new Parameters();
  const rows = sources.map((source) => ({ ...source, tokens: tokenize(nameWords(source)) }));
  const { names, table } = inlineTable(COLUMNS, rows, parameters);
  return session.query(
    `INSERT INTO ${schema}.names AS names (${names}) SELECT ${names} FROM ${table}
     ON CONFLICT (source_file) ${onConflict}`,
    parameters.values,
  );
}
