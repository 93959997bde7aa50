import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/** A connection. */
export type Database = BetterSqlite3.Database;

export type Options = BetterSqlite3.Options;

/** Opens a file with the driver, which the first call loads: a service on another backend needs no SQLite. */
export function openDatabase(path: string | Buffer, options: Options = {}): Database {
  const Driver = sqliteDriver();
  return new Driver(path, options);
}

let loaded: typeof BetterSqlite3 | undefined;

/** @throws Error as `loadDriver` does */
export function sqliteDriver(): typeof BetterSqlite3 {
  loaded ??= loadDriver(createRequire(import.meta.url));
  return loaded;
}

/**
 * better-sqlite3 13 brings its binaries and needs Node-API 10, which Node has since 22.14. With an older Node it would
 * crash, so version 12 is used there, which is compiled or downloaded during installation
 * (docs/decisions/0042-two-versions-of-sqlite.md). SQLite reads names that begin with `file:` as URIs, with options for
 * opening a file; the driver accepts that setting from the environment only.
 * @throws Error with the remedy, if it is missing or has no binary
 */
export function loadDriver(
  require: (name: string) => typeof BetterSqlite3,
  { node, napi }: Versions = process.versions,
): typeof BetterSqlite3 {
  const name = Number(napi) >= 10 ? 'better-sqlite3' : 'better-sqlite3-12';
  try {
    process.env['SQLITE_USE_URI'] = '1';
    const driver = require(name);
    new driver(':memory:').close();
    return driver;
  } catch (cause) {
    throw new Error(
      `SQLite cannot be loaded (${name}, Node ${node}). Reinstall knowledge-store with this version of Node, with optional packages and install scripts; before Node 22.14, this may need a C++ compiler.`,
      { cause },
    );
  } finally {
    delete process.env['SQLITE_USE_URI'];
  }
}

interface Versions {
  readonly node: string;
  /** The version of Node-API. */
  readonly napi?: string | undefined;
}
