// With Node 20, npm leaves better-sqlite3 13 out, and 12 has a name of its own (docs/decisions/0042-two-versions-of-sqlite.md). In a
// checkout, a link gives it the usual name, by which documents and scripts import it.
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const name = fileURLToPath(new URL('../node_modules/better-sqlite3', import.meta.url));

if (!existsSync(name) && existsSync(`${name}-12`)) {
  rmSync(name, { force: true });
  symlinkSync(`${name}-12`, name, 'junction');
}
