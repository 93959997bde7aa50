import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SPECIFIED_SCHEMA, withDatabase } from '../../../test/support/database-inspection.js';
import { type Client, okBody, startClient } from '../../../test/support/running-service-calls.js';
import { TempProject, tempDirectory } from '../../../test/support/temp-project.js';
import { collectProductNames } from './product-names.js';

/** Text that exists only outside all projects. A service that shows it has read there. */
export const CANARY = 'canary-read-from-outside';

/** Text that hostile SQL writes, but does not contain in this spelling. If it is found, the SQL has run. */
export const TRIGGER_MARK = 'TRIGGER-RAN';
export const MAKE_MARK = "replace('TRIGGERxRAN', 'x', '-')";

/**
 * A folder with the hostile projects, the files they try to reach, and a witness: a project that must not notice them.
 */
export class Site {
  readonly path = tempDirectory('knowledge-hostile-');
  /** The folder that the service may access. */
  readonly roots = join(this.path, 'roots');
  /** Contains a folder with the same name as each hostile project. */
  readonly outside: string;
  readonly witness: TempProject;
  #before: readonly string[];
  /** Databases, made both by this service and by other programs. */
  readonly databases: readonly Buffer[];
  /** Paths in a project that the product creates or opens. */
  readonly productNames: readonly string[];

  private constructor(databases: readonly Buffer[], productNames: readonly string[]) {
    this.outside = join(this.path, 'outside');
    this.databases = databases;
    this.productNames = productNames;
    new TempProject(FILES_OUTSIDE, '.knowledge', this.outside);
    mkdirSync(join(this.outside, 'empty'));
    this.#before = treeOf(this.outside);
    this.witness = new TempProject(witnessFiles(), '.knowledge', join(this.roots, 'witness'));
  }

  static async make(): Promise<Site> {
    const foreign = makeForeignDatabase();
    return new Site([await ownDatabase(), foreign], await collectProductNames(foreign));
  }

  /** Lists the changes outside the projects since the last call, with size and date of each file. */
  changesOutside(): readonly string[] {
    const before = this.#before;
    this.#before = treeOf(this.outside);
    const made = this.#before.filter((one) => !before.includes(one) && !isSharedMemory(one));
    const gone = before.filter((one) => !this.#before.includes(one) && !isSharedMemory(one));
    return [
      ...made.map((one) => `something outside was made or changed: ${one}`),
      ...gone.map((one) => `something outside is gone: ${one}`),
    ];
  }

  remove(): void {
    new TempProject({}, '.', this.path).remove();
  }
}

/**
 * SQLite opens its shared-memory file by path, microseconds after the service has checked the folder (SECURITY.md,
 * "What is not promised"). The file contains nothing of a project.
 */
function isSharedMemory(file: string): boolean {
  return file.includes('/knowledge.db-shm ');
}

const FILES_OUTSIDE = {
  'empty.txt': '',
  'secret.md': `## Secret\n\n${CANARY} tapir\n`,
  'features/f/reflection.md': `## Secret\n\n${CANARY} tapir\n`,
  'memory/secret.md': `## Secret\n\n${CANARY} tapir\n`,
  'settings.json': `{"knowledgeStore":{"includePatterns":["${CANARY}"]}}`,
};

function witnessFiles(): Readonly<Record<string, string>> {
  const text = (file: number) => `## Note ${file}\n\nThe walrus number ${file} swims.\n`;
  return Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`docs/${i}.md`, text(i)]));
}

async function ownDatabase(): Promise<Buffer> {
  const project = new TempProject({ 'a.md': '## A\n\na tapir\n\n## B\n\n用户认证 tapir\n' });
  project.writeReflection('f', `## F\n\n${'a tapir is here '.repeat(500)}\n`);
  const client: Client = await startClient('hybrid');
  okBody(await client.rebuild(project));
  await client.service.stop();
  return taken(project);
}

function makeForeignDatabase(): Buffer {
  const project = new TempProject({ '.knowledge/x': '' });
  withDatabase(project.database, (db) => {
    db.pragma('page_size = 512');
    db.exec(SPECIFIED_SCHEMA);
    const insert = db.prepare(
      "INSERT INTO chunks VALUES (?, 'file', 'a.md', '/p', ?, 'H', ?, NULL, .5, '2026-01-01', '2026-01-01', NULL, 0, NULL, NULL)",
    );
    for (let row = 0; row < 50; row += 1) insert.run(`id${row}`, row, `a tapir ${row} `.repeat(9));
  });
  return taken(project);
}

function taken(project: TempProject): Buffer {
  const bytes = readFileSync(project.database);
  project.remove();
  return bytes;
}

function treeOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return [path, ...treeOf(path)];
    const { size, mtimeMs, mode, ino } = statSync(path);
    return [[path, size, mtimeMs, mode, ino].join(' ')];
  });
}
