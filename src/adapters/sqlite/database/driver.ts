import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/** A connection, which the driver calls a database. */
export type Database = BetterSqlite3.Database;

export type Options = BetterSqlite3.Options;

/** Opens a file. The first call loads the driver, since a service on another backend needs no SQLite. */
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
 * Loads better-sqlite3. Version 13 brings its binaries and needs Node-API 10, which Node has since 22.14. It would
 * crash an older Node, so version 12 is used there, which is compiled or downloaded during installation
 * (docs/decisions/0042-two-versions-of-sqlite.md).
 * The environment variable makes SQLite read names that begin with `file:` as URIs with options; the driver has no
 * other way to set that.
 * @throws Error with the remedy, if the driver is missing or has no binary
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
