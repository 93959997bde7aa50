/** A virtual table of ours: its module, and the tables in which the module keeps what it stores. */
export interface VirtualTable {
  readonly module: string;
  /** Its own CREATE statement; absent where any options of the module will do. */
  readonly statement?: RegExp;
  /** What the module writes after `CREATE TABLE '<name of the virtual table>_<suffix>'`, by suffix. */
  readonly shadows: Readonly<Record<string, RegExp>>;
}

/** Those of FTS5 with any of its options (sqlite.org/fts5.html, "FTS5 Data Structures"). */
const FTS5: VirtualTable = {
  module: 'fts5',
  shadows: {
    data: /^\(id INTEGER PRIMARY KEY, block BLOB\)$/,
    idx: /^\(segid, term, pgno, PRIMARY KEY\(segid, term\)\) WITHOUT ROWID$/,
    content: /^\(id INTEGER PRIMARY KEY(?:, c\d+)*\)$/,
    docsize: /^\(id INTEGER PRIMARY KEY, sz BLOB(?:, origin INTEGER)?\)$/,
    config: /^\(k PRIMARY KEY, v\) WITHOUT ROWID$/,
  },
};

/** The declaration of the index of neighbours, for a model of any dimensions. */
export const NEIGHBOURS_STATEMENT =
  /^CREATE VIRTUAL TABLE store_neighbours USING vec0\(code int8\[\d{1,4}\] distance_metric=l[12](?:, chunk_size=\d{1,4})?\)$/;

/** That of sqlite-vec. */
const VEC0: VirtualTable = {
  module: 'vec0',
  statement: NEIGHBOURS_STATEMENT,
  shadows: {
    info: /^ \(key text primary key, value any\)$/,
    chunks:
      /^\(chunk_id INTEGER PRIMARY KEY AUTOINCREMENT,size INTEGER NOT NULL,validity BLOB NOT NULL,rowids BLOB NOT NULL\)$/,
    rowids:
      /^\(rowid INTEGER PRIMARY KEY AUTOINCREMENT,id,chunk_id INTEGER,chunk_offset INTEGER\)$/,
    vector_chunks00: /^\(rowid PRIMARY KEY,vectors BLOB NOT NULL\)$/,
  },
};

export const VIRTUAL_TABLES: Readonly<Record<string, VirtualTable>> = {
  chunks_fts: FTS5,
  store_cjk: FTS5,
  store_neighbours: VEC0,
};

/** Modules that tables of other programs may have too. */
export const HARMLESS_MODULES: ReadonlySet<string> = new Set([FTS5.module]);

/** The CREATE statement that each shadow table of ours has, by its name. */
export const SHADOW_TABLES: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(VIRTUAL_TABLES).flatMap(([table, { shadows }]) =>
    Object.entries(shadows).map(([suffix, shape]) => {
      const name = `${table}_${suffix}`;
      return [name, new RegExp(`^CREATE TABLE (['"])${name}\\1${shape.source.slice(1)}`)] as const;
    }),
  ),
);
