import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesLoadedBy } from '../support/loaded-files.js';
import { ModelHub } from '../support/model-hub.js';
import { CLI, eventually, runCommand, runProgram } from '../support/running-service.js';
import { TempProject } from '../support/temp-project.js';
import { TINY_MODEL } from '../support/tiny-model.js';

let project: TempProject;

beforeAll(async () => {
  project = new TempProject({ 'docs/fruit.md': '## Fruit\nan apple and a banana\n' });
  await run(['ingest', '--no-vectors']);
});
afterAll(() => project.remove());

describe('the program', () => {
  test.each([
    [0, ['--help']],
    [1, ['note', 'delete', 'nope']],
    [2, ['serach']],
    [2, []],
  ])('ends with %d for %j', async (code, words) => {
    const result = await run(words);
    expect(result.code).toBe(code);
    expect(result.out === '').toBe(code !== 0);
    if (code === 1) expect(result.err).toMatch(/^knowledge-store: [^\n]+\.\n$/);
  });

  test('prints results alone to standard output, however much it logs', async () => {
    const { code, out, err } = await run(['search', 'apple', '--json'], {
      KNOWLEDGE_LOG_LEVEL: 'debug',
    });
    expect(code).toBe(0);
    expect(out.split('\n')).toHaveLength(2);
    expect(JSON.parse(out).results[0].chunk.id).toBe('docs/fruit.md#0');
    expect(err).not.toContain('"results"');
  });

  test.each(['search apple --full', '--help'])(
    'ends quietly if nobody reads what "%s" prints',
    async (words) => {
      const script = `"$0" "$1" ${words} | true; echo "\${PIPESTATUS[0]}"`;
      const program = ['bash', '--norc', '-c', script, process.execPath, CLI];
      const { out, err } = await runProgram(program, project.path, { DATA_DIR: project.path });
      expect({ out, err }).toEqual({ out: '0\n', err: '' });
    },
  );

  test.each([
    ['no terminal', {}, false],
    ['FORCE_COLOR', { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, false],
    ['FORCE_COLOR and NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('with %s shows colors: %o %s', async (_, env, isColored) => {
    const { out } = await run(['--help'], env);
    expect(out.includes('\u001b[')).toBe(isColored);
    expect(out).toContain('search');
  });
});

describe('with a Node that is too old', () => {
  const old = "Object.defineProperty(process.versions, 'node', { value: '18.20.8' })";
  const start = (words: readonly string[]) => [
    process.execPath,
    ...['--import', `data:text/javascript,${encodeURIComponent(old)}`],
    ...words,
  ];

  test.each([
    ['the command', [CLI, 'search', 'apple']],
    ['npm start', [CLI.replace('cli.js', 'main.js')]],
  ])('%s says which one is needed', async (_, words) => {
    const { code, out, err } = await runProgram(start(words), project.path, {});
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe('knowledge-store: Node 20 or newer is needed; this is Node 18.20.8.\n');
  });

  test.each(['session-start', 'session-prompt', 'session-end'])(
    'the hook %s ends in silence',
    async (hook) => {
      const ended = await runProgram(start([CLI, hook]), project.path, {});
      expect(ended).toMatchObject({ code: 0, out: '', err: '' });
    },
  );
});

describe('a quick start', () => {
  // Kilobytes, not files: how many files the bundler makes of the same code changes with every import.
  test.each([
    [217, '--help'],
    [217, '--version'],
    [217, 'serach'],
    [220, 'search --help'],
    [1_620, 'search apple --no-model'],
  ])('loads at most %d kB for "%s"', async (most, words) => {
    const loaded = await filesLoadedBy(words.split(' '), project.path, {
      DATA_DIR: project.path,
    });
    expect(loaded).toContainEqual(expect.stringMatching(/dist\/bundle\/command\.js$/));
    const sizes = await Promise.all(loaded.map(async (file) => (await stat(file)).size));
    const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
    expect(kilobytes).toBeGreaterThan(100);
    expect(kilobytes).toBeLessThanOrEqual(most);
  });
});

describe('models pull', () => {
  test('downloads the model once, and searches use it from then on', async () => {
    const hub = await ModelHub.start();
    const env = {
      DATA_DIR: project.at('data'),
      KNOWLEDGE_MODEL: TINY_MODEL,
      KNOWLEDGE_MODEL_HOST: hub.url,
      KNOWLEDGE_OFFLINE: '0',
    };
    const pulled = await run(['models', 'pull'], env);
    expect(pulled).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^tests\/tiny-model is ready in .*models \(\d+ kB\)\.\n$/),
    });
    const asked = hub.requests.length;
    await run(['ingest', '--wait'], env);
    // A busy machine may take longer to load the model than a command waits for it.
    await eventually(
      async () => {
        const { out } = await run(['search', 'banana', '--json'], env);
        return JSON.parse(out).retrieval_mode === 'hybrid';
      },
      { withinMs: 100_000 },
    );
    expect(hub.requests).toHaveLength(asked);
    await hub.stop();
  }, 120_000);
});

// Helpers

function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return runCommand(words, project.path, { DATA_DIR: project.path, ...environment });
}
