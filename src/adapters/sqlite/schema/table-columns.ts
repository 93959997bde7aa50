/** What a column may hold: SQLite's type affinities (sqlite.org/datatype3.html). */
export type Affinity = 'text' | 'integer' | 'number' | 'blob';

/** Columns by their names; the first is the primary key. */
export type Columns = Readonly<Record<string, Affinity>>;

/**
 * The columns that a table must have before it is opened; one that a migration adds to files of older
 * releases or of other programs is among `ADDABLE_COLUMNS`.
 */
export const REQUIRED_COLUMNS: Readonly<Record<string, Columns>> = {
  chunks: {
    id: 'text',
    source_type: 'text',
    source_file: 'text',
    project_path: 'text',
    chunk_index: 'integer',
    heading: 'text',
    content: 'text',
    tags: 'text',
    importance: 'number',
    created_at: 'text',
    updated_at: 'text',
    last_retrieved_at: 'text',
    retrieval_count: 'integer',
  },
  embeddings: { chunk_id: 'text', embedding: 'blob', model: 'text', created_at: 'text' },
  store_sources: {
    source_file: 'text',
    source_type: 'text',
    content_hash: 'text',
    chunk_count: 'integer',
  },
  store_owned: { chunk_id: 'text' },
  store_state: { name: 'text', value: 'text' },
  store_leases: { name: 'text', holder: 'text', expires_at: 'text' },
  store_vector_changes: { number: 'integer', row: 'integer' },
  store_types: { row: 'integer', source_type: 'text' },
};

/** Columns that a file of another program may lack. */
export const ADDABLE_COLUMNS: Readonly<Record<string, Columns>> = {
  chunks: { hype_queries: 'text', hype_embeddings: 'blob' },
};

/** Whether a declared type stores the values of a column of ours unchanged. */
export function isFit(declaredType: string, expected: Affinity): boolean {
  const found = AFFINITIES.find(([pattern]) => pattern.test(declaredType))?.[1] ?? 'numeric';
  return found === expected || (found === 'numeric' && isNumeric(expected));
}

function isNumeric(affinity: Affinity): boolean {
  return affinity === 'integer' || affinity === 'number';
}

/** SQLite's own rules, in their order; every other type is numeric. */
const AFFINITIES: readonly (readonly [RegExp, Affinity])[] = [
  [/INT/i, 'integer'],
  [/CHAR|CLOB|TEXT/i, 'text'],
  [/BLOB|^$/i, 'blob'],
  [/REAL|FLOA|DOUB/i, 'number'],
];
