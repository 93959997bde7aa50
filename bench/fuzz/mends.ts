/** A mend of the service, as what takes it away again: a text of a file, and what stands there without it. */
export interface Mend {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Mends of what only hostile projects meet; each `from` occurs once in its file. Not among them is what workers contain by now, so
 * that it costs a project its own answers only (frontmatter that ends a process, expressions that run for minutes), and links out of
 * a project, which are refused twice: before a file is opened and after.
 */
export const MENDS: readonly Mend[] = [
  {
    name: 'schema rows that SQLite reads otherwise are refused',
    file: 'src/adapters/sqlite/schema/schema-check.ts',
    from: 'if (odd > 0)',
    to: 'if (odd < 0)',
  },
  {
    name: 'unknown triggers and views are refused',
    file: 'src/adapters/sqlite/schema/schema-check.ts',
    from: "if (type === 'view' || (type === 'trigger' && !isOwn))",
    to: "if (type === '')",
  },
  {
    name: 'a file beside the database that is no file is refused',
    file: 'src/adapters/sqlite/database/store-files.ts',
    from: 'if (found !== undefined && !found.isFile())',
    to: 'if (found === null)',
  },
  {
    name: 'a journal that names another one is refused',
    file: 'src/adapters/sqlite/database/store-files.ts',
    from: 'if (namesSuperJournal(journalOf(path)))',
    to: "if (namesSuperJournal(journalOf(path)) && path === '')",
  },
  {
    name: 'rows of sources that are no text are left out',
    file: 'src/adapters/sqlite/chunks/sqlite-chunk-repository.ts',
    from: `"typeof(s.source_file) = 'text'"`,
    to: "'1'",
  },
  {
    name: 'retrieval counts that would overflow count as none',
    file: 'src/adapters/sqlite/chunks/chunk-rows.ts',
    from: 'AND c.retrieval_count BETWEEN 0 AND 2147483647,',
    to: ',',
  },
  {
    name: 'rows that a full-text index does not expect are damage',
    file: 'src/adapters/sqlite/database/sqlite-errors.ts',
    from: '|constraint failed$',
    to: '',
  },
  {
    name: 'a full-text index of an impossible version is damage',
    file: 'src/adapters/sqlite/database/sqlite-errors.ts',
    from: '(invalid fts5 file format|',
    to: '(',
  },
  {
    name: 'a worker that is stuck is ended',
    file: 'src/adapters/cluster/supervisor.ts',
    from: 'SILENT_MAX_MS = 10_000',
    to: 'SILENT_MAX_MS = 1e9',
  },
  {
    name: 'a path with a NUL is one that does not exist',
    file: 'src/adapters/files/inside-project.ts',
    from: ", 'ERR_INVALID_ARG_VALUE'",
    to: '',
  },
  {
    name: 'a schema that SQLite itself refuses is refused',
    file: 'src/adapters/sqlite/database/sqlite-errors.ts',
    from: 'const FOREIGN_SCHEMA = /^SQLITE_(ERROR|',
    to: 'const FOREIGN_SCHEMA = /^SQLITE_(',
  },
];
