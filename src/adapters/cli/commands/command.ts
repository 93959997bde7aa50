import type { ApiBody, ApiRoute } from '../../../app/routes/api.js';
import type { CommandLineParts, Fields } from '../command-line-parts.js';
import type { Needs, Session } from '../session.js';
import type { OptionField } from './options.js';

/** A command as data, from which its help and options are built. The routes check the input. */
export type Command = ProjectCommand | PlainCommand | CommandGroup;

interface Described {
  readonly name: string;
  /** Shown in the list of commands. */
  readonly summary: string;
  /** Shown in the command's own help; default: the summary. */
  readonly description?: string;
}

interface Parameters extends Described {
  /** Whether the command is the default of its group. */
  readonly isDefault?: true;
  readonly arguments?: readonly Argument[];
  /** Fields of the request that options fill. */
  readonly fields?: readonly OptionField[];
  /** Options that do not fill a field. */
  readonly options?: readonly (readonly [flags: string, help: string, ...choices: string[]])[];
  /** Each without the leading `knowledge-store`. */
  readonly examples?: readonly string[];
}

/** A command that works on a project. */
export interface ProjectCommand extends Parameters {
  readonly needs?: Needs | ((given: Fields) => Needs);
  work(session: Session, given: Fields): Promise<void>;
}

/** Any other command. */
export interface PlainCommand extends Parameters {
  run(parts: CommandLineParts, given: Fields): Promise<void>;
}

/** Subcommands of another command. */
export interface CommandGroup extends Described {
  readonly commands: readonly (ProjectCommand | PlainCommand)[];
}

export interface Argument {
  /**
   * The field that the argument fills. Words of a variadic argument (`<text...>`) are joined; for a text, `-` stands
   * for standard input.
   */
  readonly field: string;
  readonly flags: string;
  readonly help: string;
  readonly choices?: readonly string[];
}

/**
 * Needs of a search for a program: uses the embedding model if it is installed, and creates nothing in a directory
 * where nothing is indexed.
 */
export const SEARCHES: Needs = { access: 'searches', model: 'installed' };

/** Needs of a search for a person: like `SEARCHES`, but a project that was never indexed is indexed first. */
export const INDEXES: Needs = { ...SEARCHES, access: 'indexes' };

/** The work of a command that calls one route and prints the response. */
export function printing<Name extends ApiRoute>(
  route: Name,
  toText: (body: ApiBody<Name>, session: Session) => string | Promise<string>,
): ProjectCommand['work'] {
  return async (session, given) => {
    const body = await session.call(route, given);
    await session.print(body, () => toText(body, session));
  };
}

export function argument(flags: string, field: string, help: string): Argument {
  return { flags, field, help };
}
