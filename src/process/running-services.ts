import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasExtensions } from '../app/config/config.js';
import type { Config } from '../app/config/fields.js';
import type { Environment } from '../app/config/read-config.js';
import { type ErrorCode, KnowledgeError, systemErrorCode } from '../domain/errors.js';
import { userDataFolder } from './user-data.js';

/** What a service of this user says of itself while it runs. */
interface Announcement {
  readonly url: string;
  readonly token?: string | undefined;
  /** Equal for services and commands that give the same answers for a project. */
  readonly answersAs: string;
}

/**
 * Says in the data folder of the user that a service runs, in a file that only the user can read. Commands then ask it,
 * so that they need not load the model. What cannot be written costs them time only.
 * @returns takes it back
 */
export function announceService(env: Environment, config: Config, url: string): () => void {
  if (!hasExtensions(config)) return () => undefined;
  const file = join(folderOf(env), `${process.pid}.json`);
  const said: Announcement = { url, token: config.token, answersAs: answersAs(config) };
  try {
    mkdirSync(folderOf(env), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(said), { mode: 0o600 });
  } catch {
    // A home that cannot be written.
  }
  return () => rmSync(file, { force: true });
}

/** A service that answers in place of a command. */
interface AskedService {
  /** The body of a route's 200; undefined where the service does not serve the project, or no longer answers. @throws KnowledgeError */
  call(route: string, fields: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** A service of this user that runs and is configured as the command is, if one exists. */
export async function findService(
  env: Environment,
  config: Config,
): Promise<AskedService | undefined> {
  for (const name of namesIn(folderOf(env))) {
    const said = readAnnouncement(join(folderOf(env), name));
    if (said?.answersAs !== answersAs(config) || !(await isUp(said.url))) continue;
    return { call: (route, fields) => answerOf(said, route, fields) };
  }
  return undefined;
}

function folderOf(env: Environment): string {
  return join(userDataFolder(env), 'services');
}

function answersAs({ appDir, backend, databaseUrl, model, embeddings }: Config): string {
  const said = [appDir, backend, databaseUrl, model, embeddings?.baseUrl];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    return [];
  }
}

/** Undefined for one that is being written, or whose process has ended without taking it back; the latter is removed. */
function readAnnouncement(file: string): Announcement | undefined {
  try {
    const [, pid] = /(?<!\d)(\d+)\.json$/.exec(file) ?? [];
    process.kill(Number(pid), 0);
    return JSON.parse(readFileSync(file, 'utf8')) as Announcement;
  } catch (error) {
    if (systemErrorCode(error) === 'ESRCH') rmSync(file, { force: true });
    return undefined;
  }
}

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(UP_TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}

const UP_TIMEOUT_MS = 500;

async function answerOf(
  { url, token }: Announcement,
  route: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const [method = '', path = ''] = route.split(' ');
  const isRead = method === 'GET';
  const query = isRead ? `?${new URLSearchParams(fields as Record<string, string>)}` : '';
  const response = await fetch(`${url}${path}${query}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    ...(!isRead && { body: JSON.stringify(fields) }),
  }).catch(() => undefined);
  if (response === undefined || isNotForUs(response.status)) return undefined;
  const body = await response.json();
  if (response.ok) return body;
  const { code, error } = body as { readonly code: ErrorCode; readonly error: string };
  throw new KnowledgeError(code, error);
}

/** Another token, a project outside its roots, another version, or in trouble. */
function isNotForUs(status: number): boolean {
  return [401, 403, 404].includes(status) || status >= 500;
}
