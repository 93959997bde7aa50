import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The files of a project, keyed by their paths in it. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** A project directory, by default a new temporary one. */
export class TempProject {
  /** Called when a test asks for the database file, which not every store has. */
  static beforeLookingInside: () => void = () => {};
  /** Canonical path. */
  readonly path: string;
  readonly appDir: string;

  /** @param path an existing directory; default: a new one */
  constructor(
    files: Files = {},
    appDir = '.knowledge',
    path = tempDirectory('knowledge-project-'),
  ) {
    this.path = path;
    this.appDir = appDir;
    this.writeAll(files);
  }

  /** Path of the SQLite database. */
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

  /** Writes the value of the settings key `knowledgeStore`. */
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

  /** Deletes the directory. Retries, because a service that is still running may write to it. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Creates an empty directory and returns its canonical path. */
export function tempDirectory(prefix = 'knowledge-'): string {
  return realpathSync(mkdtempSync(join(tmpdir(), prefix)));
}

/** Creates projects, and removes them all at the end. */
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
