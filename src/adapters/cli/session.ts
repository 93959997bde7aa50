import { join, relative, resolve } from 'node:path';
import type { ApiBody, ApiRoute } from '../../app/routes/api.js';
import type { Chunk } from '../../domain/chunks/chunk.js';
import { isUserId } from '../../domain/saved/user-note-ids.js';
import type { CommandLineParts, Fields, OpenOptions, Operations } from './command-line-parts.js';
import { findProject, type ProjectDirectory } from './project-directory.js';
import type { Terminal } from './terminal.js';
import { printableLine, type Styles, shownJson, stylesFor } from './text/format.js';

/** Requirements of a command. */
export interface Needs extends Partial<Pick<OpenOptions, 'model' | 'logLevel' | 'service'>> {
  /**
   * `nothing`: no project. `user`: no project, but the user's notes. `searches`: a project; no store is created.
   * `indexes`: the same, but a git project may be indexed. Default: a project, whose store is created.
   */
  readonly access?: 'nothing' | 'user' | 'searches' | 'indexes';
  /** The project to use if no option names one. */
  readonly project?: string | undefined;
  /** `separate`: in a linked git worktree, the project is that worktree. */
  readonly worktrees?: 'separate';
  /** `text`: the command has no `--json`. */
  readonly output?: 'text';
}

/** Runs `work` on the project of a command: finds the project, opens the service, and closes it afterwards. */
export async function inProject(
  parts: CommandLineParts,
  given: Fields & { readonly needs: Needs },
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const { access, project: other, worktrees } = given.needs;
  const { model = 'unused', service = 'started', logLevel } = given.needs;
  const project =
    access === 'nothing' || access === 'user'
      ? noProject(parts)
      : await findProject({ ...parts, ...(worktrees && { worktrees }) }, given['project'] ?? other);
  const isScratch = !mayHaveStore(project, access);
  const operations = await parts.open({
    model,
    ...(logLevel !== undefined && { logLevel }),
    store: isScratch ? 'scratch' : 'configured',
    service: isScratch || given['inProcess'] === true ? 'none' : service,
  });
  try {
    await work(new Session(parts, { project, operations }, given['json'] === true));
  } finally {
    await operations.stop();
  }
}

/** Whether a store on disk may be used. Otherwise, a search in any folder would create an application directory. */
function mayHaveStore({ isInitialized, isGit }: ProjectDirectory, access: Needs['access']) {
  if (access === 'nothing') return false;
  if (access === undefined || access === 'user') return true;
  return isInitialized || (access === 'indexes' && isGit);
}

/** Stands in for the project in commands that need none. */
function noProject({ directory }: CommandLineParts): ProjectDirectory {
  return { path: directory, appDir: '', isInitialized: false, isGit: false };
}

/** A running command, its project, and the service that does the work. */
export class Session {
  readonly project: ProjectDirectory;
  readonly parts: CommandLineParts;
  readonly terminal: Terminal;
  readonly operations: Operations;
  /** The working directory, absolute. */
  readonly directory: string;
  /** Styles for standard output. */
  readonly styles: Styles;
  readonly showsText: boolean;

  constructor(
    parts: CommandLineParts,
    { project, operations }: Pick<Session, 'project' | 'operations'>,
    printsJson: boolean,
  ) {
    this.parts = parts;
    this.terminal = parts.terminal;
    this.styles = stylesFor(parts.terminal.colors.out);
    this.project = project;
    this.operations = operations;
    this.directory = parts.directory;
    this.showsText = !printsJson;
  }

  /** How text is shown on standard output. */
  get view(): { readonly styles: Styles; readonly columns: number } {
    return { styles: this.styles, columns: this.terminal.columns };
  }

  /** How results of this project are shown on standard output. */
  get resultsView(): Session['view'] & Pick<ProjectDirectory, 'worktreeText'> {
    const { worktreeText } = this.project;
    return { ...this.view, ...(worktreeText && { worktreeText }) };
  }

  /** Calls a route for this project. Routes ignore unknown fields, and check their responses against the schema. */
  async call<Name extends ApiRoute>(route: Name, fields: Fields = {}): Promise<ApiBody<Name>> {
    return (await this.request(route, fields)) as ApiBody<Name>;
  }

  /** Like `call`, for a route that the user typed. @throws KnowledgeError `not_found` if it does not exist */
  request(route: string, fields: Fields): Promise<unknown> {
    const given = Object.entries({ projectPath: this.project.path, ...fields });
    const request = Object.fromEntries(given.filter(([, value]) => value !== undefined));
    return this.operations.call(route, request);
  }

  /** Prints the response body of a route: as unchanged JSON, or as text for people. */
  async print<Body>(body: Body, toText: (body: Body) => string | Promise<string>): Promise<void> {
    const text = this.showsText ? (await toText(body)).trimEnd() : shownJson(body);
    if (text !== '') this.terminal.out(`${text}\n`);
  }

  /** Tells a person in a linked git worktree whose store this is. */
  noteWorktree(): void {
    const { worktreeText, path } = this.project;
    if (worktreeText === undefined) return;
    this.note(`This git worktree shares the store of its main checkout, ${path}.`);
  }

  /** A hint for a project without an index; undefined if something is indexed. */
  async emptiness(): Promise<string | undefined> {
    const { totalChunks } = await this.call('GET /api/knowledge/stats');
    return totalChunks > 0
      ? undefined
      : `Nothing is indexed in ${printableLine(this.project.path)} yet; run "knowledge-store ingest".`;
  }

  /**
   * The places of chunks as `path:line` relative to the working directory, which editors open, or only the path if the
   * line is unknown.
   */
  async formatPlaces(
    results: readonly { readonly chunk: Pick<Chunk, 'id' | 'sourceFile'> }[],
    project = this.project.path,
  ): Promise<readonly string[]> {
    const chunks = results.map(({ chunk }) => chunk);
    const ids = chunks.map(({ id }) => id);
    const lines = ids.length === 0 ? [] : await this.operations.findLines(project, ids);
    return chunks.map(({ sourceFile }, i) =>
      isUserId(sourceFile)
        ? this.formatFilePlace(sourceFile, lines[i] ?? undefined)
        : this.formatPlace(resolve(project, sourceFile), lines[i] ?? undefined),
    );
  }

  /** Formats a line of a file of the project, as `formatPlaces` does. */
  formatFilePlace(sourceFile: string, line: number | undefined): string {
    if (isUserId(sourceFile)) return atLine(printableLine(sourceFile), line);
    return this.formatPlace(resolve(this.project.path, sourceFile), line);
  }

  /** Formats a line of any file, as `formatPlaces` does. @param path absolute */
  formatPlace(path: string, line: number | undefined): string {
    const fromHere = relative(this.directory, path);
    const shown = printableLine(fromHere.startsWith(join('..', '..', '..')) ? path : fromHere);
    return atLine(shown, line);
  }

  /** Writes one line for people to standard error. */
  note(sentence: string): void {
    this.terminal.err(`${stylesFor(this.terminal.colors.err).dim(printableLine(sentence))}\n`);
  }
}

function atLine(place: string, line: number | undefined): string {
  return line === undefined ? place : `${place}:${line}`;
}
