import { homedir } from 'node:os';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { KnowledgeError } from '../../../domain/errors.js';
import { isRecord } from '../../../domain/records.js';

interface CallWithoutProject {
  readonly server: McpServer;
  readonly context: ServerContext;
  /** The working directory. */
  readonly directory: string;
}

/**
 * The project of a call that names none: the first directory among the client's roots, or else the
 * working directory. A request for the roots, if the client has some and did not send them with the call.
 * @throws KnowledgeError `invalid_request` if the working directory cannot be meant
 */
export function projectOf(call: CallWithoutProject): string | InputRequiredResult {
  const { inputResponses } = call.context.mcpReq;
  if (inputResponses !== undefined) {
    return firstDirectory(inputResponses[ROOTS]) ?? workingDirectory(call.directory);
  }
  return hasRoots(call)
    ? inputRequired({ inputRequests: { [ROOTS]: inputRequired.listRoots() } })
    : workingDirectory(call.directory);
}

/** How long a client may take to list its roots. */
export const ROOTS_TIMEOUT_MS = 10_000;
const ROOTS = 'roots';

/** A client says what it can do with every request, or, before the revision 2026-07-28, once for a connection. */
function hasRoots({ server, context }: CallWithoutProject): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...context.mcpReq.envelope };
  const capabilities =
    envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
  return isRecord(capabilities) && capabilities['roots'] !== undefined;
}

/** What a client sends is not checked by the SDK. */
function firstDirectory(response: unknown): string | undefined {
  const roots = isRecord(response) && Array.isArray(response['roots']) ? response['roots'] : [];
  for (const root of roots) {
    const path = isRecord(root) ? pathOf(root['uri']) : undefined;
    if (path !== undefined) return path;
  }
  return undefined;
}

function pathOf(uri: unknown): string | undefined {
  try {
    return fileURLToPath(String(uri));
  } catch {
    return undefined;
  }
}

/** Some clients start servers in the root directory or in the user's home, which nobody wants to be indexed. */
function isMeant(directory: string): boolean {
  return directory !== parse(directory).root && directory !== homedir();
}

function workingDirectory(directory: string): string {
  if (isMeant(directory)) return directory;
  throw new KnowledgeError(
    'invalid_request',
    'project is required, because neither the roots of the client nor the working directory of the server name one.',
  );
}
