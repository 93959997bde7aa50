// Records the responses of all routes, tools and commands for a small project, to compare two builds:
//   node bench/answers.mjs dist > after.txt
// Times, ports and paths are replaced. No model is used.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const dist = resolve(process.argv[2] ?? 'dist');
const home = mkdtempSync(join(tmpdir(), 'answers-'));
const project = join(home, 'shop');
const env = {
  PATH: process.env.PATH,
  HOME: home,
  DATA_DIR: join(home, 'data'),
  KNOWLEDGE_OFFLINE: '1',
  KNOWLEDGE_LOG_LEVEL: 'silent',
  KNOWLEDGE_WORKERS: '0',
  PORT: '0',
  COLUMNS: '100',
};

const FILES = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  'docs/release.md': '# Releases\n\n## Shipping\nVersions go out on Tuesdays. See `src/ship.ts`.\n',
  'docs/database.md':
    '---\ntags: [sqlite]\n---\n# Database\n\n## Locks\nWriters wait for the write lock, up to 15 seconds.\n\n## Backups\nA copy is made every night.\n',
  'src/ship.ts': 'export const day = 2;\n',
  '.knowledge/features/login/reflection.md':
    '## What went wrong\nThe cookie was not renewed after the password changed.\n',
  '.knowledge/features/login/agent-output.md': '## Output\nThe tests of the login pass now.\n',
  '.knowledge/features/login/feature.json':
    '{"id":"login","title":"Login","description":"Sign in with a password","status":"done"}',
  '.knowledge/memory/gotchas.md': '# Gotchas\n\n- Cookies expire.\n- The clock is in UTC.\n',
};

function makeProject() {
  rmSync(project, { recursive: true, force: true });
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}

const ROUTES = [
  ['POST', 'ingest/reflections', {}],
  ['POST', 'ingest/agent-outputs', {}],
  ['POST', 'x/reindex', {}],
  ['POST', 'rebuild', {}],
  ['GET', 'stats', {}],
  ['POST', 'stats', {}],
  ['POST', 'search', { query: 'write lock' }],
  ['POST', 'search', { query: 'write lock', explain: true, maxResults: 2 }],
  ['POST', 'search', { query: '"went wrong" OR tuesdays' }],
  ['POST', 'search', { query: 5 }],
  ['POST', 'search', { query: 'x', maxResults: 1000 }],
  ['POST', 'x/search', { query: 'cookie renewed' }],
  ['POST', 'x/search', { query: 'cookie renewed', explain: true }],
  ['POST', 'x/search', { query: 'zebra' }],
  ['POST', 'x/search', { query: 'lock', sourceTypes: ['nonsense'] }],
  ['POST', 'x/search-projects', { query: 'lock', projectPaths: [project, home] }],
  ['POST', 'x/similar', { text: 'writers wait for a lock' }],
  ['POST', 'x/lessons', { featureId: 'login' }],
  ['POST', 'x/lessons', { title: 'Login', description: 'Sign in' }],
  ['POST', 'x/features/complete', { featureId: 'login' }],
  ['POST', 'x/compact', { category: 'gotchas' }],
  ['POST', 'x/compact', { category: 'nothing' }],
  ['POST', 'x/prune', { dryRun: true }],
  ['POST', 'x/prune', {}],
  ['GET', 'x/status', {}],
  ['POST', 'x/doctor', {}],
  ['POST', 'x/doctor', { repair: true }],
  ['POST', 'x/import', { path: '/nowhere.db' }],
  ['POST', 'x/urls', { url: 'https://example.org' }],
  ['POST', 'x/digests', { category: 'gotchas' }],
  ['POST', 'x/notes', { title: 'Write lock', content: 'Writers wait 15 s.', tags: ['sqlite'] }],
  ['POST', 'x/notes', { title: 'Write lock', content: 'Writers wait 15 s.', tags: ['sqlite'] }],
  ['GET', 'x/notes', {}],
  ['GET', 'x/notes/write-lock', {}],
  ['GET', 'x/notes/none', {}],
  ['PUT', 'x/notes/write-lock', { title: 'Write lock', content: 'Writers wait 20 s.' }],
  ['PUT', 'x/notes/write-lock', { title: 'Write lock', content: 'No.', ifVersion: 'abc' }],
  ['DELETE', 'x/notes/write-lock', {}],
  ['DELETE', 'x/notes/write-lock', {}],
  ['POST', 'x/documents', { path: 'handbook/on-call.md', content: '# On call\n\nPage Ann.\n' }],
  ['POST', 'x/documents', { path: '../out.md', content: 'x' }],
  ['GET', 'x/sources', {}],
  ['GET', 'x/chunks', { limit: 3 }],
  ['GET', 'x/chunks/docs%2Fdatabase.md%230', {}],
  ['GET', 'x/chunks/none%230', {}],
  ['GET', 'x/lines', { sourceFile: 'docs/database.md:4-8' }],
  ['GET', 'x/stale', {}],
  ['GET', 'x/projects', {}],
  ['DELETE', 'x/sources', { sourceFile: 'docs/release.md' }],
  ['DELETE', 'x/sources', { sourceFile: 'none.md' }],
  ['POST', 'x/nothing', {}],
  ['PATCH', 'stats', {}],
];

const TOOLS = [
  ['search', { query: 'write lock' }],
  ['search', { query: 'zebra' }],
  ['search', {}],
  ['get', { what: 'docs/database.md#0' }],
  ['get', { id: 'docs/database.md#0' }],
  ['get', { id: 'docs/database.md:4-8' }],
  ['lessons', { featureId: 'login' }],
  ['similar', { text: 'writers wait' }],
  ['status', {}],
  ['ingest', {}],
  ['save_note', { title: 'Clock', content: 'The clock is in UTC.' }],
  ['save_note', { title: 'Clock', content: 'The clock is in UTC.' }],
  ['save_note', { id: 'clock', title: 'Clock', content: 'UTC.' }],
  ['delete_note', { id: 'clock' }],
  ['complete_feature', { featureId: 'login' }],
];

const COMMANDS = [
  'init',
  'ingest --json',
  'ingest',
  'rebuild --json',
  'search write lock',
  'search write lock --json',
  'search --profile specified write lock --json',
  'search --profile specified write lock',
  'search zebra --fail-on-empty',
  `search lock --projects ${project} ${home}`,
  'get docs/database.md#0',
  'get docs/database.md:4-8',
  'get docs/none.md',
  'lessons login',
  'similar writers wait',
  'similar --json writers wait',
  'note add Clock UTC --json',
  'note add Clock2 UTC',
  'note list',
  'note replace clock Clock GMT',
  'note delete clock',
  'note delete clock',
  'page https://example.org',
  'sources',
  'sources --json',
  'sources delete docs/release.md',
  'stale',
  'status',
  'status --json',
  'prune --dry-run',
  'prune --yes',
  'compact gotchas',
  'doctor',
  'doctor --repair --json',
  'import nothing.db',
  'models',
  'models list',
  'api GET /stats',
  'api GET x/chunks/docs%2Fdatabase.md%230',
  'api POST x/search -f query=lock -f maxResults=1',
  'api POST x/nothing',
  'api POST x/notes -f title=T -f content=C',
  'api PATCH stats',
  'connect claude --print',
  'session-start',
  'uninstall --dry-run',
  'nonsense',
  'search',
  '--help',
  'search --help',
  'stop',
];

function normalized(text) {
  return String(text)
    .replaceAll(project, '<project>')
    .replaceAll(home, '<home>')
    .replaceAll(dist, '<dist>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\d{4}-\d\d-\d\d/g, '<day>')
    .replaceAll(/127\.0\.0\.1:\d+|localhost:\d+/g, '<host>')
    .replaceAll(/"(\w*[mM]s|seconds|size|bytes|databaseBytes|storeBytes|pid)":[\d.]+/g, '"$1":0')
    .replaceAll(/\b[\d.]+ (ms|s|KiB|MiB|kB|MB)\b/g, '<n> $1')
    .replaceAll(/pid \d+|process \d+/gi, '<pid>')
    .replaceAll(/[0-9a-f]{16,}/g, '<hash>');
}

function print(title, text) {
  console.log(`=== ${title}\n${normalized(text)}`);
}

async function startServer(variant) {
  const child = spawn(process.execPath, [join(dist, 'main.js')], {
    env: { ...env, KNOWLEDGE_VARIANT: variant },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((found, failed) => {
    child.stdout.on('data', (part) => {
      const match = /listening on (\S+)/.exec(String(part));
      if (match) found(match[1]);
    });
    child.once('exit', failed);
  });
  return { url, stop: () => new Promise((ended) => child.once('exit', ended) && child.kill()) };
}

async function recordRoutes(variant) {
  makeProject();
  const { url, stop } = await startServer(variant);
  for (const [method, path, fields] of ROUTES) {
    const given = { projectPath: project, ...fields };
    const isQuery = method === 'GET' || method === 'DELETE';
    const query = isQuery ? `?${new URLSearchParams(given)}` : '';
    const response = await fetch(`${url}/api/knowledge/${path}${query}`, {
      method,
      ...(!isQuery && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(given),
      }),
    });
    print(
      `${variant} ${method} ${path} ${JSON.stringify(fields)}`,
      `${response.status} ${response.headers.get('content-type')} ${response.headers.get('allow')}\n${await response.text()}`,
    );
  }
  for (const path of ['/health', '/ready', '/openapi.json', '/none']) {
    const response = await fetch(url + path);
    print(`${variant} ${path}`, `${response.status}\n${await response.text()}`);
  }
  await recordTools(variant, url);
  await stop();
}

async function recordTools(variant, url) {
  const post = async (method, params, id) => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    });
    return `${response.status}\n${await response.text()}`;
  };
  print(`${variant} tools/list`, await post('tools/list', {}, 1));
  for (const [name, given] of TOOLS) {
    const params = { name, arguments: { projectPath: project, ...given } };
    print(`${variant} tool ${name} ${JSON.stringify(given)}`, await post('tools/call', params, 2));
  }
}

function recordCommands(service) {
  makeProject();
  for (const command of COMMANDS) {
    const words = command.split(' ');
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [join(dist, 'cli.js'), ...words],
      { cwd: project, env: { ...env, KNOWLEDGE_SERVICE: service }, encoding: 'utf8', input: '' },
    );
    print(`service ${service}: ${command}`, `exit ${status}\n${stdout}\n--- stderr\n${stderr}`);
  }
}

try {
  await recordRoutes('hybrid');
  await recordRoutes('search-only');
  recordCommands('off');
  recordCommands('on');
} finally {
  spawnSync(process.execPath, [join(dist, 'cli.js'), 'stop'], { env });
  rmSync(home, { recursive: true, force: true });
}
