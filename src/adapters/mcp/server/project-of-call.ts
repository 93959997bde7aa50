import { statSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { invalidRequest } from '../../../domain/errors.js';
import { isRecord } from '../../../domain/records.js';
import type { WorktreeText } from '../../../ports/project-directories.js';

/** Finds projects from the directories of a client. */
export interface ProjectLookup {
  /** The project of the server, from `--project` or else from its working directory. */
  readonly directory: string;
  /** Whether `--project` named the directory; default false. */
  readonly isNamed?: boolean;
  /**
   * The nearest project from a directory upwards; undefined if there is none, and for the root of the file system, a
   * home directory and its ancestors.
   */
  readonly nearestProject: (directory: string) => string | undefined;
  /** Why a directory is a project; `folder` if there is no reason yet. */
  readonly projectKind: (project: string) => 'store' | 'repository' | 'folder';
  /**
   * For a directory in a linked git worktree that shares the store of its main checkout, returns a function that gives
   * one sentence about a source whose file differs in that worktree. Undefined for any other directory.
   */
  readonly worktreeText: (directory: string) => WorktreeText | undefined;
}

/** The project of a call, and the directory that led to it. */
interface CalledProject {
  readonly path: string;
  readonly from: string;
}

/** Says that the client must list its roots first. */
interface RootsRequired {
  readonly required: InputRequiredResult;
}

interface CallWithoutProject extends ProjectLookup {
  readonly server: McpServer;
  readonly context: ServerContext;
}

/**
 * Finds the project of a call that names none. If a root of the client is inside the project that `--project` names, it
 * is that project. Otherwise it is the first root with a store, else the first repository, else the server's own
 * project, else the first root. A client of revision 2026-07-28 that has roots but did not send them with the call is
 * asked for them.
 * @throws KnowledgeError `invalid_request` if no project fits
 */
export async function findProject(
  call: CallWithoutProject,
): Promise<CalledProject | RootsRequired> {
  const { inputResponses, envelope } = call.context.mcpReq;
  if (inputResponses !== undefined)
    return chooseProject(call, readDirectories(inputResponses[ROOTS]));
  if (!hasRoots(call)) return chooseProject(call, []);
  if (envelope !== undefined && CLIENT_CAPABILITIES_META_KEY in envelope) {
    return { required: inputRequired({ inputRequests: { [ROOTS]: inputRequired.listRoots() } }) };
  }
  return chooseProject(call, await listedDirectories(call.server));
}

/**
 * Finds the project of a call that names a directory: the nearest one upwards. Returns anything but a directory
 * unchanged, for the service to refuse with a reason.
 * @throws KnowledgeError `invalid_request` for the root of the file system, a home directory and its ancestors
 */
export function projectOfDirectory(
  directory: string,
  { nearestProject }: Pick<ProjectLookup, 'nearestProject'>,
): CalledProject {
  if (!isDirectory(directory)) return { path: directory, from: directory };
  const path = nearestProject(directory);
  if (path === undefined) throw invalidRequest(NOT_A_PROJECT);
  return { path, from: directory };
}

const NOT_A_PROJECT =
  'project must name the directory of a project; the root of the file system, and a home directory or one above it, are none.';

function isDirectory(path: string): boolean {
  try {
    return isAbsolute(path) && statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const ROOTS = 'roots';
/** How long a client may take to list its roots. */
const ROOTS_TIMEOUT_MS = 2_000;

/** A client sends its capabilities with every request or, before revision 2026-07-28, once per connection. */
function hasRoots({ server, context }: CallWithoutProject): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...context.mcpReq.envelope };
  const capabilities =
    envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
  return isRecord(capabilities) && capabilities['roots'] !== undefined;
}

/** Asks the client for its roots. An unusable response counts as no roots. */
async function listedDirectories(server: McpServer): Promise<readonly string[]> {
  try {
    return readDirectories(await server.server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS }));
  } catch {
    return [];
  }
}

/** Returns the directories of this machine among the roots of a response, which the SDK does not check. */
function readDirectories(response: unknown): readonly string[] {
  const roots = isRecord(response) && Array.isArray(response['roots']) ? response['roots'] : [];
  return roots.flatMap((root) => (isRecord(root) ? (toPath(root['uri']) ?? []) : []));
}

function toPath(uri: unknown): string | undefined {
  try {
    return fileURLToPath(String(uri));
  } catch {
    return undefined;
  }
}

function chooseProject(lookup: ProjectLookup, roots: readonly string[]): CalledProject {
  const { directory, isNamed = false, nearestProject } = lookup;
  const [own] = projectsAt([directory], nearestProject);
  const isInNamed = (root: string) => isNamed && own !== undefined && isInside(root, own.path);
  if (own !== undefined && roots.some(isInNamed)) return own;
  const projects = projectsAt(roots, nearestProject);
  const project = amongRoots(lookup, projects) ?? own ?? projects[0];
  if (project !== undefined) return project;
  throw invalidRequest(
    "project is required, because neither the client's roots nor the server's working directory names one.",
  );
}

/** The nearest project of each directory that has one. */
function projectsAt(
  directories: readonly string[],
  nearestProject: ProjectLookup['nearestProject'],
): readonly CalledProject[] {
  return directories.flatMap((from) => {
    const path = nearestProject(from);
    return path === undefined ? [] : [{ path, from }];
  });
}

/** Whether a directory is a project or inside it. */
export function isInside(directory: string, project: string): boolean {
  return `${directory}${sep}`.startsWith(`${project}${sep}`);
}

/** Returns the first project with a store, or else the first repository. */
function amongRoots(
  { projectKind }: ProjectLookup,
  projects: readonly CalledProject[],
): CalledProject | undefined {
  const kinds = projects.map(({ path }) => projectKind(path));
  const best = (['store', 'repository'] as const).find((kind) => kinds.includes(kind));
  return best && projects[kinds.indexOf(best)];
}
