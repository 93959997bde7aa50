import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import { generationText, SECTIONS } from './generations.js';

/**
 * A deliberately careless writer, for negative controls: it commits every row on its own, and confirms what it has not
 * written yet. `tsx careless-writer.ts <database> <features>` prints one generation per line.
 */
const [path = '', features = '12'] = process.argv.slice(2);
const db = openDatabase(path, { timeout: 5000 });
const files = Array.from({ length: Number(features) }, (_, index) => `f${index}`);

for (let generation = 1; ; generation += 1) {
  process.stdout.write(`${generation}\n`);
  for (const feature of files) writeRows(feature, generation);
  await new Promise((resolve) => setImmediate(resolve));
}

function writeRows(feature: string, generation: number): void {
  const file = `.knowledge/features/${feature}/reflection.md`;
  const sections = generationText(feature, generation)
    .split(/^## .*$/m)
    .slice(1);
  db.prepare('DELETE FROM chunks WHERE source_file = ?').run(file);
  for (let index = 0; index < SECTIONS; index += 1) {
    db.prepare(
      `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content, created_at, updated_at)
       VALUES (?, 'reflection', ?, '/project', ?, ?, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
    ).run(`${file}#${index}`, file, index, sections[index] ?? '');
  }
}
