/**
 * Which files may import which, as an allow-list: every import that is not allowed here is forbidden.
 * `test/unit/docs/architecture.test.ts` plants violations and checks that each of them is reported.
 */
const BUILT_INS = ['core'];
const PACKAGES = ['npm', 'npm-dev', 'npm-optional', 'npm-no-pkg', 'npm-unknown'];

/** The only folders in which each npm package may be imported. */
const HOMES = {
  'src/adapters/http': ['express', 'zod', '@types/express'],
  'src/adapters/mcp': ['@modelcontextprotocol/server', 'zod'],
  'src/adapters/metrics': ['prom-client'],
  'src/adapters/cli': [
    'commander',
    'jsonc-parser',
    'picocolors',
    'smol-toml',
    'fast-string-width',
    'fast-wrap-ansi',
  ],
  'src/adapters/postgres': ['pg', '@types/pg'],
  'src/adapters/stemmer': ['stemmer'],
  console: ['commonmark', 'preact', 'stemmer', 'vite', 'zod'],
  'src/adapters/sqlite': ['better-sqlite3(-12)?', '@types/better-sqlite3', 'sqlite-vec'],
  'src/adapters/fetch': [
    '@mozilla/readability',
    'ipaddr.js',
    'linkedom',
    'parse5',
    'turndown',
    '@types/turndown',
  ],
  'src/adapters/files': [],
  'src/adapters/transformers': ['@xenova/transformers', 'onnxruntime-node', 'onnxruntime-web'],
  'src/adapters/openai': ['openai'],
  'src/adapters/system': ['pino'],
  'src/adapters/transcripts': [],
  'src/adapters/cluster': [],
  'src/adapters/yaml': ['yaml'],
  'src/schemas': ['zod'],
  'src/app/routes': ['zod'],
  'src/app/wiring': ['inversify', '@inversifyjs/.+', 'reflect-metadata'],
};

const folder = (path) => `^${path}/`;

/** The words of a text are the same for every store that does not bring its own. */
const TOKENIZER = {
  from: { path: '^src/adapters/postgres/' },
  to: { path: folder('src/adapters/stemmer') },
};

const homes = Object.entries(HOMES).map(([home, packages]) => ({
  from: { path: folder(home) },
  to: { dependencyTypes: PACKAGES, path: `node_modules/(${packages.join('|')})/` },
}));

const adapters = Object.keys(HOMES)
  .filter((home) => home.startsWith('src/adapters/'))
  .map((home) => ({
    from: { path: folder(home) },
    to: { path: `^(${home}|src/ports|src/domain|src/shared)/` },
  }));

/** The adapters that drive the use cases. */
const DRIVING = '^src/adapters/(http|mcp|cli)/';

export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Modules must not import each other in a cycle.',
      severity: 'error',
      from: { path: '^(src|bench|console)/' },
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A module that nothing imports is dead code, unless it is an entry point.',
      severity: 'error',
      from: {
        orphan: true,
        path: '^src/',
        pathNot: '^src/(main|cli|index|process/(worker|local/local-(service|worker)))\\.ts$',
      },
      to: {},
    },
    {
      name: 'mcp-server-when-used',
      comment: 'The package of MCP takes a fifth of the start of a command, which does not use it.',
      severity: 'error',
      from: { path: '^src/app/wiring/' },
      to: { path: '^src/adapters/mcp/server/' },
    },
  ],
  allowed: [
    { from: { path: '^(bench|test)/' }, to: {} },
    { from: { path: folder('src/domain') }, to: { path: folder('src/domain') } },
    {
      from: { path: folder('src/shared') },
      to: { path: '^src/(shared/|domain/errors\\.ts$)' },
    },
    { from: { path: folder('src/ports') }, to: { path: '^src/(ports|domain)/' } },
    {
      from: { path: '^src/app/', pathNot: '^src/app/wiring/' },
      to: { path: '^src/(app|ports|domain|schemas|shared)/', pathNot: '^src/app/wiring/' },
    },
    {
      from: { path: folder('src/app/wiring') },
      to: { path: '^src/(app|adapters|ports|domain|schemas|shared)/' },
    },
    { from: { path: folder('src/schemas') }, to: { path: '^src/(schemas|domain)/' } },
    {
      from: { path: '^src/adapters/(http|mcp|cli|files)/' },
      to: { path: folder('src/schemas') },
    },
    {
      from: { path: DRIVING },
      to: {
        path: folder('src/app'),
        pathNot: '^src/app/(wiring|config)/',
        dependencyTypes: ['type-only'],
      },
    },
    { from: { path: folder('src/adapters/http') }, to: { path: folder('src/app/routes') } },
    {
      from: { path: '^src/(process/|(main|cli|index|driven-ports)\\.ts$)' },
      to: { path: '^src/' },
    },
    {
      from: { path: folder('console') },
      to: { path: '^(console|src/domain)/' },
    },
    {
      from: { path: folder('console') },
      to: {
        path: '^src/(app/routes|adapters/http/openapi)/',
        dependencyTypes: ['type-only'],
      },
    },
    ...adapters,
    TOKENIZER,
    ...homes,
    { from: { path: '^src/(adapters|app/wiring)/' }, to: { dependencyTypes: BUILT_INS } },
    { from: { path: '^src/(process/|(main|cli)\\.ts$)' }, to: { dependencyTypes: BUILT_INS } },
  ],
  allowedSeverity: 'error',
  options: {
    doNotFollow: { path: ['node_modules', '^dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js'],
    },
  },
};
