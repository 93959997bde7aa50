import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The files of a project by their paths in it. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** A new project directory in the temporary directory of this machine. */
export class TempProject {
  /** Called where a test asks for the database file, which not every store has. */
  static beforeLookingInside: () => void = () => {};
  /** Canonical. */
  readonly path: string;
  readonly appDir: string;

  /** Of a directory that is there, or of a new one. */
  constructor(
    files: Files = {},
    appDir = '.knowledge',
    path = tempDirectory('knowledge-project-'),
  ) {
    this.path = path;
    this.appDir = appDir;
    this.writeAll(files);
  }

  /** Where SQLite keeps it. */
  get database(): string {
    TempProject.beforeLookingInside();
    return join(this.path, this.appDir, 'knowledge.db');
  }

  at(path: string): string {
    return join(this.path, path);
  }

  write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
  }

  writeAll(files: Files): void {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  writeReflection(feature: string, content: string | Buffer): void {
    this.write(this.reflection(feature), content);
  }

  writeOutput(feature: string, content: string | Buffer): void {
    this.write(this.output(feature), content);
  }

  writeMemory(category: string, content: string | Buffer): void {
    this.write(`${this.appDir}/memory/${category}.md`, content);
  }

  /** The value of the key `knowledgeStore`. */
  writeSettings(knowledgeStore: unknown): void {
    this.write(`${this.appDir}/settings.json`, JSON.stringify({ knowledgeStore }));
  }

  reflection(feature: string): string {
    return `${this.appDir}/features/${feature}/reflection.md`;
  }

  output(feature: string): string {
    return `${this.appDir}/features/${feature}/agent-output.md`;
  }

  delete(path: string): void {
    rmSync(this.at(path), { recursive: true, force: true });
  }

  /** A service that still runs may write meanwhile. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Canonical path of a new, empty directory. */
export function tempDirectory(prefix = 'knowledge-'): string {
  return realpathSync(mkdtempSync(join(tmpdir(), prefix)));
}

/** Makes projects and removes them all at the end. */
export class TempProjects {
  readonly #projects: TempProject[] = [];

  make(files: Files = {}, appDir?: string, path?: string): TempProject {
    const project = new TempProject(files, appDir, path);
    this.#projects.push(project);
    return project;
  }

  removeAll(): void {
    for (const project of this.#projects.splice(0)) project.remove();
  }
}
