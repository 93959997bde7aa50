import type { SourceDocument } from '../../../domain/chunks/chunk.js';
import { headerText, nameWords } from '../../../domain/chunks/source-names.js';
import { tokenize } from '../../stemmer/tokens.js';
import { type Columns, inlineTable, Parameters, type Session } from '../database/session.js';
import { toTsvector } from './indexed-words.js';

type Named = Pick<SourceDocument, 'sourceFile' | 'names'>;

interface Place {
  readonly session: Session;
  readonly schema: string;
}

const COLUMNS: Columns<Named & { readonly tokens: readonly string[] }> = {
  source_file: ['text', ({ sourceFile }) => sourceFile],
  header: ['text', headerText],
  name_count: ['integer', ({ tokens }) => tokens.length],
  name_positions: ['tsvector', ({ tokens }) => toTsvector([tokens])],
};

/** Stores the names of sources. Discards the vector of a header that has changed. */
export function writeNames(place: Place, sources: readonly Named[]): Promise<unknown> {
  return insertNames(
    place,
    sources,
    `DO UPDATE SET header = excluded.header, name_count = excluded.name_count,
       name_positions = excluded.name_positions,
       model = CASE WHEN names.header = excluded.header THEN names.model END,
       vector = CASE WHEN names.header = excluded.header THEN names.vector END`,
  );
}

/** Gives names to sources that have none. */
export function addMissingNames(place: Place, sourceFiles: Iterable<string>): Promise<unknown> {
  const sources = Array.from(new Set(sourceFiles), (sourceFile) => ({ sourceFile }));
  return insertNames(place, sources, 'DO NOTHING');
}

export function forgetNames({ session, schema }: Place, sourceFile: string): Promise<unknown> {
  return session.query(`DELETE FROM ${schema}.names WHERE source_file = $1`, [sourceFile]);
}

function insertNames({ session, schema }: Place, sources: readonly Named[], onConflict: string) {
  const parameters = new Parameters();
  const rows = sources.map((source) => ({ ...source, tokens: tokenize(nameWords(source)) }));
  const { names, table } = inlineTable(COLUMNS, rows, parameters);
  return session.query(
    `INSERT INTO ${schema}.names AS names (${names}) SELECT ${names} FROM ${table}
     ON CONFLICT (source_file) ${onConflict}`,
    parameters.values,
  );
}
