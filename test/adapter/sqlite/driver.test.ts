import { describe, expect, it, test } from 'vitest';
import { loadDriver, sqliteDriver } from '../../../src/adapters/sqlite/database/driver.js';

const versionsOf = (node: string, napi: string) => ({ node, napi });

describe('the driver of SQLite', () => {
  test.each([
    ['20.20.2', '9', 'better-sqlite3-12'],
    ['22.13.1', '9', 'better-sqlite3-12'],
    ['22.14.0', '10', 'better-sqlite3'],
    ['24.21.0', '10', 'better-sqlite3'],
  ])('for Node %s, with Node-API %s, is %s', (node, napi, name) => {
    const asked: string[] = [];
    const require = (name: string) => {
      asked.push(name);
      return sqliteDriver();
    };
    expect(loadDriver(require, versionsOf(node, napi))).toBe(sqliteDriver());
    expect(asked).toEqual([name]);
  });

  it('says what to do if it is not installed', () => {
    const require = (name: string) => {
      throw new Error(`Cannot find module '${name}'`);
    };
    const load = () => loadDriver(require, versionsOf('20.20.2', '9'));
    expect(load).toThrow(/^SQLite cannot be loaded \(better-sqlite3-12, Node 20.20.2\). Reinstall/);
  });

  it('says what to do if it has no binary', () => {
    class WithoutBinary {
      constructor() {
        throw new Error('Could not locate the bindings file.');
      }
    }
    const require = () => WithoutBinary as unknown as ReturnType<typeof sqliteDriver>;
    expect(() => loadDriver(require)).toThrow(/^SQLite cannot be loaded/);
  });
});
