import { createHash } from 'node:crypto';
import type {
  FileListing,
  FileReading,
  FileStat,
  LeftOut,
  ProjectFiles,
  Replacement,
  SkippedFile,
} from '../../src/ports/project-files.js';

/** The files of one project in memory, under the application directory `.knowledge`. */
export class InMemoryProjectFiles implements ProjectFiles {
  readonly #files = new Map<string, { readonly text: string; readonly version: number }>();
  readonly #refused = new Map<string, SkippedFile>();
  #writes = 0;
  /** Folders that cannot be read. */
  unreadable: readonly string[] = [];
  /** Where documentation is not looked for. */
  leftOut: readonly LeftOut[] = [];
  /** Paths in the order in which they were read. */
  readonly reads: string[] = [];
  /** Whether files keep still while they are read. */
  isSettled = true;
  /** Is called before every reading of a text. */
  onRead: (path: string) => void | Promise<void> = () => {};
  /** Is called after every listing. */
  onListed: () => void | Promise<void> = () => {};

  constructor(texts: Readonly<Record<string, string>> = {}) {
    for (const [path, text] of Object.entries(texts)) this.set(path, text);
  }

  set(path: string, text: string): void {
    this.#writes += 1;
    this.#files.set(path, { text, version: this.#writes });
  }

  /** Both are the same file until one of them is set. */
  link(path: string, target: string): void {
    const file = this.#files.get(target);
    if (file !== undefined) this.#files.set(path, file);
  }

  delete(path: string): void {
    this.#files.delete(path);
  }

  /** The file is there from now on, but may not be read. */
  refuse(path: string, reason: string, kind?: SkippedFile['kind']): void {
    const text = this.text(path);
    if (text !== undefined) this.set(path, text);
    this.#refused.set(path, { skipped: reason, ...(kind && { kind }) });
  }

  text(path: string): string | undefined {
    return this.#files.get(path)?.text;
  }

  get paths(): readonly string[] {
    return [...this.#files.keys()].toSorted();
  }

  listFolder(_: string, folder: string): Promise<FileListing> {
    return this.#list(new RegExp(`^${folder.replaceAll('.', '\\.')}/([^/]+)`));
  }

  listBelow(_: string, folder: string): Promise<FileListing> {
    return this.#list(new RegExp(`^(${folder.replaceAll('.', '\\.')}/.+)`));
  }

  async listMarkdown(): Promise<FileListing> {
    const { leftOut } = this;
    return { ...(await this.#list(/^((?!\.knowledge\/).*\.md)$/)), leftOut };
  }

  async readText(_: string, path: string): Promise<FileReading> {
    await this.onRead(path);
    this.reads.push(path);
    const refused = this.#refused.get(path);
    if (refused !== undefined) return refused;
    const file = this.#files.get(path);
    return (
      file && {
        text: file.text,
        hash: hashText(file.text),
        version: String(file.version),
        isSettled: this.isSettled,
      }
    );
  }

  async readTail(project: string, path: string, characters: number): Promise<FileReading> {
    const reading = await this.readText(project, path);
    if (reading === undefined || 'skipped' in reading) return reading;
    const text = reading.text.slice(-characters);
    const firstLine = reading.text.slice(0, -text.length || undefined).split('\n').length;
    return { ...reading, text, hash: hashText(text), firstLine };
  }

  async statOf(_: string, path: string): Promise<FileStat | SkippedFile | undefined> {
    const file = this.#files.get(path);
    if (file !== undefined) {
      const { text, version } = file;
      return { bytes: text.length, version: String(version), modifiedAt: new Date(version * 1000) };
    }
    return this.#refused.get(path);
  }

  isStill(_: string, path: string, version: string | undefined): boolean {
    return this.#files.get(path)?.version.toString() === version;
  }

  async exists(_: string, path: string): Promise<boolean> {
    return this.#files.has(path);
  }

  async writeText(_: string, path: string, text: string): Promise<void> {
    this.set(path, text);
  }

  async createText(_: string, path: string, text: string): Promise<boolean> {
    if (this.#files.has(path)) return false;
    this.set(path, text);
    return true;
  }

  async replaceText(
    _: string,
    path: string,
    { text, expectedVersion }: Replacement,
  ): Promise<boolean> {
    const version = this.#refused.has(path) ? undefined : this.#files.get(path)?.version.toString();
    if (version !== expectedVersion) return false;
    this.set(path, text);
    return true;
  }

  async deleteFile(_: string, path: string): Promise<boolean> {
    return this.#files.delete(path);
  }

  async removeDrafts(): Promise<void> {}

  async copy(_: string, from: string, to: string): Promise<void> {
    const text = this.text(from);
    if (text !== undefined) this.set(to, text);
  }

  async #list(pattern: RegExp): Promise<FileListing> {
    const isHidden = (path: string) => this.unreadable.some((folder) => path.startsWith(folder));
    const names = this.paths.flatMap((path) =>
      isHidden(path) ? [] : (pattern.exec(path)?.[1] ?? []),
    );
    const listing = { paths: [...new Set(names)].toSorted(), unreadable: this.unreadable };
    await this.onListed();
    return listing;
  }
}

/** At once, as the real one does it. */
function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
