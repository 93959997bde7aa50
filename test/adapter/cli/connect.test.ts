import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/command-line.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

let project: TempProject;
let home: TempProject;
let line: CommandLine;

beforeEach(() => {
  project = projects.make({ '.knowledge/memory/a.md': 'alpha' });
  home = projects.make();
  line = new CommandLine({ directory: project.path, home: home.path });
});

it('the entry of a folder whose name a terminal obeys is shown and written without harm', async () => {
  const hostile = projects.make({ 'x\u001B[2J\u009B\u202E/.knowledge/memory/a.md': 'alpha' });
  const directory = hostile.at('x\u001B[2J\u009B\u202E');
  const own = new CommandLine({ directory, home: home.path });
  const { out } = await own.run('connect', 'claude', '--print');
  expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(out.slice(out.indexOf('{')))).toMatchObject({
    mcpServers: { 'knowledge-store': { args: ['/lib/cli.js', 'mcp', '--project', directory] } },
  });
  expect((await own.run('connect', 'claude')).out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

const args = () => ['/lib/cli.js', 'mcp', '--project', project.path];

describe.each([
  ['claude', '.mcp.json', 'mcpServers'],
  ['cursor', '.cursor/mcp.json', 'mcpServers'],
  ['vscode', '.vscode/mcp.json', 'servers'],
  ['gemini', '.gemini/settings.json', 'mcpServers'],
])('connect %s', (agent, file, key) => {
  it('adds an entry, keeps what is there, and removes it again', async () => {
    project.write(file, `{"theme": 1, "${key}": {"other": {"command": "x"}}}`);
    const { code, out } = await line.run('connect', agent);
    expect([code, out]).toEqual([0, `${project.at(file)} now has the entry.\n`]);
    await line.run('connect', agent);
    const written = JSON.parse(readFileSync(project.at(file), 'utf8'));
    expect(written).toMatchObject({
      theme: 1,
      [key]: { other: { command: 'x' }, 'knowledge-store': { command: '/bin/node', args: args() } },
    });
    await line.run('connect', agent, '--remove');
    expect(JSON.parse(readFileSync(project.at(file), 'utf8'))).toEqual({
      theme: 1,
      [key]: { other: { command: 'x' } },
    });
    expect((await line.run('connect', agent, '--remove')).out).toContain('does not have the entry');
  });

  it('creates the file, except with --print', async () => {
    expect((await line.run('connect', agent, '--print')).out).toContain('"knowledge-store"');
    expect(existsSync(project.at(file))).toBe(false);
    await line.run('connect', agent);
    expect(existsSync(project.at(file))).toBe(true);
    const { out } = await line.run('connect', agent, '--print');
    expect(out).toContain(readFileSync(project.at(file), 'utf8').trim());
    await line.run('connect', agent, '--remove');
    expect(existsSync(project.at(file))).toBe(false);
  });

  it('keeps comments, trailing commas, long numbers and a byte-order mark', async () => {
    const text = `\uFEFF{\n  // mine\n  "id": 12345678901234567890,\n  "${key}": {\n    "other": {}, // kept\n  },\n}\n`;
    project.write(file, text);
    await line.run('connect', agent);
    const written = readFileSync(project.at(file), 'utf8');
    expect(written).toContain('"knowledge-store"');
    for (const part of ['\uFEFF{\n  // mine\n  "id": 12345678901234567890', '// kept']) {
      expect(written).toContain(part);
    }
    await line.run('connect', agent, '--remove');
    expect(readFileSync(project.at(file), 'utf8')).toBe(text);
  });

  it('names the command alone if it is on the PATH, so that the file can be shared', async () => {
    const program = { command: ['knowledge-store'], isPortable: true } as const;
    const serverEnv = { DATA_DIR: '/data' };
    const installed = new CommandLine({ directory: project.path, program, serverEnv });
    const { out, err } = await installed.run('connect', agent, '--print');
    expect(out).toContain('"command": "knowledge-store"');
    expect(out).toContain('"DATA_DIR": "/data"');
    expect(out.split('\n').slice(1).join('\n')).not.toContain(project.path);
    expect(err).not.toContain('Do not commit');
    expect((await line.run('connect', agent)).err).toContain(`Do not commit ${file}`);
  });

  it.each(['{"a": ', '[]', `{"${key}": 7}`])('refuses %s and leaves it', async (text) => {
    project.write(file, text);
    const { code, out, err } = await line.run('connect', agent);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^knowledge-store: [^\n]+ was left as it is, because [^\n]+\n$/);
    expect(readFileSync(project.at(file), 'utf8')).toBe(text);
  });

  it('writes through no link', async () => {
    home.write('target.json', '{}');
    const name = file.includes('/') ? projects.make({ 'x.json': '{}' }).path : undefined;
    if (name === undefined) symlinkSync(home.at('target.json'), project.at(file));
    else symlinkSync(name, project.at(file.slice(0, file.indexOf('/'))));
    expect((await line.run('connect', agent)).code).toBe(1);
    expect(readFileSync(home.at('target.json'), 'utf8')).toBe('{}');
  });
});

describe('connect codex', () => {
  const FILE = '.codex/config.toml';
  const TOML = `# mine
model = "o3"   # a comment with [brackets]
notes = """
[mcp_servers.fake]
"""
list = [ 1, # one
  2, ]

[mcp_servers.other]
command = 'x'
env = { "A" = "b", C = '}' }

[profiles."a b"]
when = 2026-01-05T12:00:00Z
`;

  it('adds a table, keeps every byte of the others, and removes it again', async () => {
    project.write(FILE, TOML);
    await line.run('connect', 'codex');
    const written = read();
    expect(written).toBe(
      `${TOML}\n[mcp_servers.knowledge-store]\ncommand = "/bin/node"\nargs = ${JSON.stringify(args())}\n`,
    );
    project.write(
      FILE,
      `${written}\n[mcp_servers.knowledge-store.env]\nX = "1"\n\n[last]\ny = 1\n`,
    );
    await line.run('connect', 'codex');
    expect(read().match(/knowledge-store\]/g)).toHaveLength(1);
    expect(read()).toContain('[last]\ny = 1\n');
    await line.run('connect', 'codex', '--remove');
    expect(read()).not.toContain('knowledge-store');
    expect(read().startsWith(TOML)).toBe(true);
  });

  it.each(['[a', 'x = ', 'just words', 'a = [1, 2', '{"a": 1}', 'mcp_servers = {}', 'a = "x'])(
    'refuses %j and leaves it',
    async (text) => {
      project.write(FILE, text);
      expect((await line.run('connect', 'codex')).code).toBe(1);
      expect(read()).toBe(text);
    },
  );

  it.each([
    [
      'an array over several lines in our table',
      '[mcp_servers.knowledge-store]\nargs = [\n["a"],\n]\n',
    ],
    [
      'our entry in a line of another table',
      '[mcp_servers]\nknowledge-store = { command = "x" }\n',
    ],
    [
      'our header in a text',
      '[a]\nb = """\n[mcp_servers.knowledge-store]\n"""\n[mcp_servers.knowledge-store]\nc = 1\n',
    ],
  ])('removes nothing from a file with %s', async (_, text) => {
    project.write(FILE, text);
    expect((await line.run('connect', 'codex', '--remove')).code).toBe(1);
    expect(read()).toBe(text);
  });

  it('reports an entry that exists already', async () => {
    await line.run('connect', 'codex');
    expect((await line.run('connect', 'codex')).out).toContain('already');
  });

  function read(): string {
    return readFileSync(project.at(FILE), 'utf8');
  }
});

const FILES = [
  ['claude', '.mcp.json', '{}'],
  ['cursor', '.cursor/mcp.json', '{"a": 1}'],
  ['vscode', '.vscode/mcp.json', '{\n  "a": 1\n}\n'],
  ['gemini', '.gemini/settings.json', '{"mcpServers": {"x": {}}}\n'],
  ['codex', '.codex/config.toml', '[a]\nb = 1\n'],
] as const;

describe.each(FILES)('connect %s and --remove', (agent, file, text) => {
  it('leave no file or folder that connect created', async () => {
    await line.run('connect', agent);
    await line.run('connect', agent, '--remove');
    expect(existsSync(project.at(file))).toBe(false);
    expect(existsSync(project.at(file.split('/')[0] ?? ''))).toBe(false);
  });

  it('leave a file and a folder that were there', async () => {
    project.write(file, text);
    await line.run('connect', agent);
    await line.run('connect', agent, '--remove');
    expect(read(file)).toBe(text);
  });

  it('leave something else in a folder that connect created', async () => {
    await line.run('connect', agent);
    project.write(file.includes('/') ? `${file.split('/')[0]}/mine` : 'mine', 'x');
    await line.run('connect', agent, '--remove');
    expect(existsSync(project.at(file))).toBe(false);
    expect(existsSync(project.at(file.includes('/') ? `${file.split('/')[0]}/mine` : 'mine'))).toBe(
      true,
    );
  });

  it('keep the line ends of a file', async () => {
    const lines = `${text.trimEnd()}\n`.replaceAll('\n', '\r\n');
    project.write(file, lines);
    await line.run('connect', agent);
    expect(read(file).replaceAll('\r\n', '')).not.toContain('\n');
    await line.run('connect', agent, '--remove');
    expect(read(file)).toBe(lines);
  });
});

const OWN_HOOK = '{"hooks": [{"type": "command", "command": "mine"}]}';

describe('connect and --remove bring back every byte of', () => {
  it.each([
    '',
    '{ "x": { "y": 1 } }',
    '{"x":[1,2]}\n',
    '{ "mcpServers": { "x": { "command": "y" } } }\r\n',
    '{"mcpServers": {}, "hooks": {}}',
    '{}',
    '{ }\n',
    '{\n}',
    '{\n\t"mcpServers": {\n\t\t"x": {"command": "y"} // mine\n\t},\n}\n',
    '{\r\n  "a": 1.0\r\n}',
    `{"hooks": {"SessionStart": [${OWN_HOOK}], "Stop": []}}`,
    `{\n  "hooks": {\n    "SessionStart": [\n      ${OWN_HOOK},\n    ]\n  }\n}\n`,
  ])('%j', async (text) => {
    const files = ['.mcp.json', '.claude/settings.local.json'];
    for (const file of files) project.write(file, text);
    await line.run('connect', 'claude', '--hooks');
    for (const file of files) expect(read(file)).toContain(project.path);
    expect((await line.run('connect', 'claude', '--hooks')).out).toMatch(/^(?:.*already.*\n){2}$/);
    await line.run('connect', 'claude', '--remove');
    for (const file of files) expect(read(file)).toBe(text);
  });

  it.each(['a = 1', 'a = 1\r\nb = 2', 'a = 1\n\n\n', '\n', '# Rules\r\n\r\n'])(
    'the text %j',
    async (text) => {
      const files = ['AGENTS.md', '.codex/config.toml'];
      for (const file of files) project.write(file, text);
      await line.run('connect', 'codex', '--instructions');
      for (const file of files) expect(read(file)).toContain('knowledge-store');
      await line.run('connect', 'codex', '--remove');
      for (const file of files) expect(read(file)).toBe(text);
    },
  );

  it('keeps what the user has added since', async () => {
    await line.run('connect', 'claude');
    const entry = /"knowledge-store": [\s\S]+?\n {4}\}/.exec(read('.mcp.json'))?.[0] ?? '';
    project.write('.mcp.json', read('.mcp.json').replace(entry, `${entry},\n    "other": {}`));
    await line.run('connect', 'claude', '--remove');
    expect(read('.mcp.json')).toBe('{\n  "mcpServers": {\n    "other": {}\n  }\n}\n');
  });
});

it('The hooks that connect writes use the data folder of the server', async () => {
  const serverEnv = { DATA_DIR: "/it's here", KNOWLEDGE_OFFLINE: '1' };
  const other = new CommandLine({ directory: project.path, home: home.path, serverEnv });
  await other.run('connect', 'claude', '--hooks');
  const { hooks } = JSON.parse(read('.claude/settings.local.json'));
  expect(hooks.SessionEnd[0].hooks[0].command).toBe(
    `DATA_DIR='/it'\\''s here' KNOWLEDGE_OFFLINE='1' '/bin/node' '/lib/cli.js' 'session-end' '--project' '${project.path}'`,
  );
  await other.run('connect', 'claude', '--remove');
  expect(existsSync(project.at('.claude'))).toBe(false);
});

describe('connect --instructions', () => {
  it.each([
    ['claude', 'CLAUDE.md'],
    ['codex', 'AGENTS.md'],
    ['cursor', 'AGENTS.md'],
  ])('for %s adds one line to %s, once, and --remove takes it out', async (agent, file) => {
    project.write(file, '# Rules\n\nBe kind.');
    expect((await line.run('connect', agent, '--instructions', '--print')).out).toContain(
      'call lessons of knowledge-store',
    );
    expect(read(file)).toBe('# Rules\n\nBe kind.');
    await line.run('connect', agent, '--instructions');
    await line.run('connect', agent, '--instructions');
    expect(read(file)).toMatch(/^# Rules\n\nBe kind\.\nBefore a task, call lessons [^\n]+$/);
    await line.run('connect', agent, '--remove');
    expect(read(file)).toBe('# Rules\n\nBe kind.');
  });

  it('recommends the line until the file has it', async () => {
    expect((await line.run('connect', 'claude')).err).toContain('Recommended line');
    await line.run('connect', 'claude', '--instructions');
    expect((await line.run('connect', 'claude')).err).not.toContain('Recommended line');
  });

  it('leaves a file alone that is not UTF-8', async () => {
    const bytes = Buffer.from('Ask Ren\xe9.\n', 'latin1');
    writeFileSync(project.at('CLAUDE.md'), bytes);
    expect((await line.run('connect', 'claude')).err).toContain('Recommended line');
    const { code, err } = await line.run('connect', 'claude', '--instructions');
    expect(code).toBe(1);
    expect(err).toContain('was left as it is, because it is not encoded as UTF-8');
    expect(readFileSync(project.at('CLAUDE.md'))).toEqual(bytes);
  });

  it('creates the file if there is none, and removes it again', async () => {
    await line.run('connect', 'claude', '--instructions');
    expect(read('CLAUDE.md')).toMatch(/^Before a task, [^\n]+\n$/);
    await line.run('connect', 'claude', '--remove');
    expect(existsSync(project.at('CLAUDE.md'))).toBe(false);
  });
});

describe('connect --remove --print', () => {
  it('says that a file of ours would be deleted', async () => {
    await line.run('connect', 'claude');
    const { out } = await line.run('connect', 'claude', '--remove', '--print');
    expect(out).toContain('(the file would be deleted)');
    expect(existsSync(project.at('.mcp.json'))).toBe(true);
  });
});

describe('uninstall', () => {
  it('shows a list, and asks nobody in a script', async () => {
    await line.run('connect', 'claude', '--hooks', '--instructions');
    const { code, out } = await line.run('uninstall');
    expect(code).toBe(0);
    expect(out).toContain(`${project.at('.mcp.json')} (our entry)`);
    expect(out).toContain(`${project.at('CLAUDE.md')} (our instruction)`);
    expect(out).toContain(`${project.at('.claude/settings.local.json')} (our hooks)`);
    expect(out).toContain('npm uninstall --global knowledge-store');
    expect(existsSync(project.at('.mcp.json'))).toBe(false);
  });

  it('names the entries in other projects, which stay', async () => {
    const other = projects.make({ '.knowledge/memory/a.md': 'alpha' });
    await line.run('connect', 'cursor', '--project', other.path);
    project.write('known-projects/1', other.path);
    project.write('known-projects/2', project.path);
    const { out } = await line.run('uninstall');
    expect(out).toMatch(/Other projects keep their agent entries.* --remove" there first:/);
    expect(out).toContain(`  ${other.at('.cursor/mcp.json')}\n`);
    expect(existsSync(other.at('.cursor/mcp.json'))).toBe(true);
  });
});

describe('connect --sessions', () => {
  const consents = () => JSON.parse(readFileSync(project.at('sessions.json'), 'utf8'));

  it('records the consent, says so, and withdraws it', async () => {
    const { out } = await line.run('connect', 'claude', '--sessions');
    expect(out).toContain(
      'Conversations with Claude Code are kept in .knowledge/sessions from now on.',
    );
    expect(consents()).toEqual({ [realpathSync(project.path)]: ['claude'] });
    await line.run('connect', 'codex', '--sessions');
    expect(consents()).toEqual({ [realpathSync(project.path)]: ['claude', 'codex'] });
    await line.run('connect', 'claude', '--sessions', '--remove');
    expect(consents()).toEqual({ [realpathSync(project.path)]: ['codex'] });
    expect(existsSync(project.at('.mcp.json'))).toBe(true);
    await line.run('connect', 'codex', '--remove');
    expect(consents()).toEqual({});
  });

  it('says with --print what would be kept, and records nothing', async () => {
    const { err } = await line.run('connect', 'claude', '--sessions', '--print');
    expect(err).toContain('would be kept in .knowledge/sessions from then on');
    expect(existsSync(project.at('sessions.json'))).toBe(false);
  });

  it('writes nothing if the consent cannot be recorded', async () => {
    project.write('sessions.json/a', '');
    const { code, out, err } = await line.run('connect', 'claude', '--sessions');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('sessions.json cannot be written');
    expect(existsSync(project.at('.mcp.json'))).toBe(false);
  });

  it.each([
    ['the settings cannot be parsed', () => project.write('.claude/settings.local.json', '{')],
    ['their folder is a link', () => symlinkSync(home.path, project.at('.claude'))],
  ])('writes and records nothing if %s', async (_, spoil) => {
    spoil();
    const { code, out } = await line.run('connect', 'claude', '--sessions', '--hooks');
    expect([code, out]).toEqual([1, '']);
    expect(existsSync(project.at('.mcp.json'))).toBe(false);
    expect(existsSync(project.at('sessions.json'))).toBe(false);
  });

  it('records no consent if the settings cannot be written', async () => {
    mkdirSync(project.at(`.mcp.json.${process.pid}.tmp`));
    expect((await line.run('connect', 'claude', '--sessions')).code).toBe(1);
    expect(consents()).toEqual({});
  });

  it('undoes the options that are given with --remove, and keeps the entry', async () => {
    await line.run('connect', 'claude', '--sessions', '--instructions');
    await line.run('connect', 'claude', '--sessions', '--instructions', '--remove');
    expect(consents()).toEqual({});
    expect(existsSync(project.at('CLAUDE.md'))).toBe(false);
    expect(existsSync(project.at('.mcp.json'))).toBe(true);
  });

  it('says where the text is sent', async () => {
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'm' };
    const configured = new CommandLine({ directory: project.path, home: home.path, env });
    const { out } = await configured.run('connect', 'claude', '--sessions');
    expect(out).toContain('Their text is sent to http://127.0.0.1:9/v1.');
  });

  it('is refused for agents without transcripts', async () => {
    expect((await line.run('connect', 'cursor', '--sessions')).code).toBe(2);
  });
});

function read(file: string): string {
  return readFileSync(project.at(file), 'utf8');
}

it('refuses a directory without a project', async () => {
  const lost = new CommandLine({ directory: home.path, home: home.path });
  expect((await lost.run('connect', 'claude')).code).toBe(1);
  expect((await line.run('connect', 'claude', '--project', '/nowhere/at/all')).code).toBe(1);
});

it('says which agents there are', async () => {
  const { code, err } = await line.run('connect', 'emacs');
  expect(code).toBe(2);
  expect(err).toContain(
    'The agent must be one of claude, cursor, vscode, codex, gemini; it is "emacs".',
  );
});
