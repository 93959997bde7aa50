/** A virtual table of ours: its module, and the tables in which the module keeps what it stores. */
export interface VirtualTable {
  readonly module: string;
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

export const VIRTUAL_TABLES: Readonly<Record<string, VirtualTable>> = {
  chunks_fts: FTS5,
  store_cjk: FTS5,
};

/** The CREATE statement that each shadow table of ours has, by its name. */
export const SHADOW_TABLES: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(VIRTUAL_TABLES).flatMap(([table, { shadows }]) =>
    Object.entries(shadows).map(([suffix, shape]) => {
      const name = `${table}_${suffix}`;
      return [name, new RegExp(`^CREATE TABLE '${name}'${shape.source.slice(1)}`)] as const;
    }),
  ),
);
