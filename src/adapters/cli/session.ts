import { join, relative, resolve } from 'node:path';
import type { Chunk } from '../../domain/chunks/chunk.js';
import type { StatsBody } from './bodies.js';
import type { CommandLineParts, Fields, Operations, RouteName } from './command-line-parts.js';
import type { ProjectDirectory } from './project-directory.js';
import type { Terminal } from './terminal.js';
import { printableLine, type Styles, stylesFor } from './text/format.js';

/** The options of every command that works on a project. */
export interface ProjectOptions {
  readonly project?: string;
  readonly json?: boolean;
}

/** What a session works on. */
interface SessionWorld {
  readonly project: ProjectDirectory;
  readonly operations: Operations;
}

type PlacedChunk = Pick<Chunk, 'id' | 'sourceFile'>;

/** How text is shown on standard output. */
export function viewOf({ styles, terminal }: Session) {
  return { styles, columns: terminal.columns };
}

/** One command at work on one project. */
export class Session {
  readonly project: ProjectDirectory;
  readonly terminal: Terminal;
  readonly operations: Operations;
  /** The working directory, absolute. */
  readonly directory: string;
  /** For standard output. */
  readonly styles: Styles;
  readonly #format: 'json' | 'text';

  constructor(
    parts: Pick<CommandLineParts, 'terminal' | 'directory'>,
    world: SessionWorld,
    format: 'json' | 'text',
  ) {
    this.terminal = parts.terminal;
    this.styles = stylesFor(parts.terminal.colors.out);
    this.project = world.project;
    this.operations = world.operations;
    this.directory = parts.directory;
    this.#format = format;
  }

  get showsText(): boolean {
    return this.#format === 'text';
  }

  /** Does what a route does for this project. The caller says what it reads of the body. */
  async call<Body>(route: RouteName, fields: Fields = {}): Promise<Body> {
    const given = Object.entries({ projectPath: this.project.path, ...fields });
    const request = Object.fromEntries(given.filter(([, value]) => value !== undefined));
    return (await this.operations.call(route, request)) as Body;
  }

  /**
   * Prints the body of a route: as JSON, unchanged, or as text for people. `toText` imports what it needs
   * when it is called, so that `--help` does not load it.
   */
  async print<Body>(body: Body, toText: (body: Body) => string | Promise<string>): Promise<void> {
    const text = this.#format === 'json' ? JSON.stringify(body) : (await toText(body)).trimEnd();
    if (text !== '') this.terminal.out(`${text}\n`);
  }

  /** What to say where nothing is indexed yet; undefined where something is. */
  async emptiness(): Promise<string | undefined> {
    const { totalChunks } = await this.call<StatsBody>('GET /api/knowledge/stats');
    return totalChunks > 0
      ? undefined
      : `Nothing is indexed in ${printableLine(this.project.path)} yet: run "knowledge-store ingest".`;
  }

  /** A file of a project as editors open it from the working directory. */
  pathOf(sourceFile: string, project = this.project.path): string {
    const path = resolve(project, sourceFile);
    const shown = relative(this.directory, path);
    return printableLine(shown.startsWith(join('..', '..', '..')) ? path : shown);
  }

  /** Where chunks are: `path:line`, or the path alone where the line is not known. */
  async placesOf(
    results: readonly { readonly chunk: PlacedChunk }[],
    project = this.project.path,
  ): Promise<readonly string[]> {
    const chunks = results.map(({ chunk }) => chunk);
    const ids = chunks.map(({ id }) => id);
    const lines = ids.length === 0 ? [] : await this.operations.linesOf(project, ids);
    return chunks.map(({ sourceFile }, i) => {
      const path = this.pathOf(sourceFile, project);
      return lines[i] === undefined ? path : `${path}:${lines[i]}`;
    });
  }

  /** One line for people on standard error. */
  note(sentence: string): void {
    this.terminal.err(`${stylesFor(this.terminal.colors.err).dim(sentence)}\n`);
  }
}
