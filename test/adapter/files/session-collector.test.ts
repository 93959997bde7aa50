import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appDirectories } from '../../../src/adapters/files/app-directories.js';
import { FileSystemProjectFiles } from '../../../src/adapters/files/file-system-project-files.js';
import { JsonSessionConsents } from '../../../src/adapters/files/json-session-consents.js';
import { JsonSessionLedgers } from '../../../src/adapters/files/json-session-ledgers.js';
import { ClaudeTranscripts } from '../../../src/adapters/transcripts/claude-transcripts.js';
import { CodexTranscripts } from '../../../src/adapters/transcripts/codex-transcripts.js';
import type { Project } from '../../../src/app/project.js';
import { SessionCollector } from '../../../src/app/sessions/session-collector.js';
import { SessionWriter } from '../../../src/app/sessions/session-writer.js';
import { SESSION_FILE_MAX_BYTES } from '../../../src/domain/sessions/session-file.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import {
  claudeLines,
  codexLines,
  exchanges,
  type Said,
  toJsonl,
  writeClaude,
  writeCodex,
} from '../../support/transcripts.js';

let home: string;
let project: Project;
let consents: JsonSessionConsents;
let isAllowed: boolean;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sessions-'));
  project = { path: join(home, 'project') } as Project;
  await mkdir(project.path);
  isAllowed = true;
  consents = new JsonSessionConsents(join(home, 'data'));
  await consents.grant(project.path, 'claude');
});
afterEach(() => rm(home, { recursive: true }));

const SESSION = 'aaaa1111-2222';
const where = () => ({ cwd: join(home, 'project', 'src'), session: SESSION });

function collector(): SessionCollector {
  const files = new FileSystemProjectFiles(appDirectories('.knowledge'));
  return new SessionCollector({
    sessionConsents: consents,
    sessionLedgers: new JsonSessionLedgers(join(home, 'data')),
    settings: { read: async () => ({ ...DEFAULT_SETTINGS, sessions: isAllowed }) },
    transcripts: [
      new ClaudeTranscripts(join(home, 'claude')),
      new CodexTranscripts(join(home, 'codex')),
    ],
    projectFinder: {
      findWithStore: (directory) => (directory.startsWith(project.path) ? project.path : undefined),
    },
    writer: new SessionWriter({ files, appDirs: appDirectories('.knowledge') }),
    changes: { run: (_, work) => work() },
  });
}

const collect = () => collector().collect(project);
const sessions = () => join(project.path, '.knowledge', 'sessions');
const write = (said: readonly Said[], session = SESSION) =>
  writeClaude(join(home, 'claude'), claudeLines(said, { ...where(), session }), session);

async function sessionFiles(): Promise<readonly string[]> {
  const names = await readdir(sessions()).catch(() => []);
  return names.filter((name) => name.endsWith('.md')).sort();
}

async function readSession(name = `2026-11-01-${SESSION}.md`): Promise<string> {
  return readFile(join(sessions(), name), 'utf8');
}

function headings(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.startsWith('## '));
}

describe('a transcript', () => {
  it('becomes a file that only the user can read, with one section per exchange', async () => {
    await write(exchanges(2));
    expect(await collect()).toEqual({
      written: [`.knowledge/sessions/2026-11-01-${SESSION}.md`],
      skipped: [],
    });
    expect(await readSession()).toBe(
      [
        '---',
        'agent: "claude"',
        `session: "${SESSION}"`,
        'branch: "main"',
        'started: "2026-11-01T10:00:01.000Z"',
        'ended: "2026-11-01T10:00:07.000Z"',
        'title: "Question 1?"',
        '---',
        '',
        '## Question 1?',
        '<!-- 2026-11-01T10:00:01.000Z -->',
        '',
        'Question 1?',
        '',
        'Answer 1.',
        '',
        '## Question 2?',
        '<!-- 2026-11-01T10:00:05.000Z -->',
        '',
        'Question 2?',
        '',
        'Answer 2.',
        '',
      ].join('\n'),
    );
    const { mode } = await stat(join(sessions(), `2026-11-01-${SESSION}.md`));
    expect(mode & 0o777).toBe(0o600);
  });

  it('is kept out of git before the first file is written', async () => {
    await write(exchanges(1));
    await collect();
    const ignored = await readFile(join(project.path, '.knowledge', '.gitignore'), 'utf8');
    expect(ignored.split('\n')).toEqual(
      expect.arrayContaining(['knowledge.db*', 'project-key', 'sessions/']),
    );
  });

  it('that grew adds its new exchanges, and keeps manual changes', async () => {
    await write(exchanges(2));
    await collect();
    const name = `2026-11-01-${SESSION}.md`;
    const edited = (await readSession()).replace('Answer 1.', 'CUT');
    await writeFile(join(sessions(), name), edited);
    await write(exchanges(4));
    await collect();
    const text = await readSession();
    expect(headings(text)).toEqual([
      '## Question 1?',
      '## Question 2?',
      '## Question 3?',
      '## Question 4?',
    ]);
    expect(text).toContain('CUT');
    expect(text).not.toContain('Answer 1.');
    expect(text).toContain('ended: "2026-11-01T10:00:15.000Z"');
  });

  it('whose last answer grew adds the rest to the last section', async () => {
    const path = await write(exchanges(1));
    await collect();
    const more = {
      type: 'assistant',
      uuid: 'more',
      timestamp: '2026-11-01T10:00:09.000Z',
      message: { content: 'One more thing.' },
    };
    await appendFile(path, toJsonl([more]));
    await collect();
    const text = await readSession();
    expect(headings(text)).toEqual(['## Question 1?']);
    expect(text.endsWith('Answer 1.\n\nOne more thing.\n')).toBe(true);
  });

  it('repeats rows, which are written once', async () => {
    const lines = claudeLines(exchanges(3), where());
    await writeClaude(join(home, 'claude'), [...lines, ...lines], SESSION);
    await collect();
    expect(headings(await readSession())).toHaveLength(3);
  });

  it('of a resumed session repeats its history, which is not written again', async () => {
    const history = claudeLines(exchanges(3), where());
    await writeClaude(join(home, 'claude'), history, SESSION);
    const start = new Date('2026-11-02T10:00:00.000Z');
    const later = claudeLines(exchanges(1, 4), { ...where(), session: 'bbbb', start });
    await writeClaude(join(home, 'claude'), [...history, ...later], 'bbbb');
    await collect();
    expect(await sessionFiles()).toEqual([`2026-11-01-${SESSION}.md`, '2026-11-02-bbbb.md']);
    expect(headings(await readSession('2026-11-02-bbbb.md'))).toEqual(['## Question 4?']);
  });

  it('is not opened again while it is unchanged', async () => {
    const path = await write(exchanges(1));
    await utimes(path, 1000, 1000);
    await collect();
    const { size } = await stat(path);
    await writeFile(path, 'x'.repeat(size));
    await utimes(path, 1000, 1000);
    expect(await collect()).toEqual({ written: [], skipped: [] });
  });

  it('without an exchange creates no file', async () => {
    await write([]);
    await collect();
    expect(await sessionFiles()).toEqual([]);
  });

  it('of another project is left alone', async () => {
    await writeClaude(
      join(home, 'claude'),
      claudeLines(exchanges(1), { cwd: '/elsewhere', session: 'x' }),
      'x',
    );
    expect((await collect()).written).toEqual([]);
  });

  it('with secrets is written without them', async () => {
    const secret = `ghp_${'a1B2c3'.repeat(6)}`;
    await write([{ prompt: `Use ${secret}\nplease`, answer: `export TOKEN=${secret}` }]);
    await collect();
    const text = await readSession();
    expect(text).not.toContain(secret);
    expect(headings(text)).toEqual(['## Use [redacted]']);
  });
});

describe('unread parts of transcripts', () => {
  it('is reported by its size, and not an unfinished last line', async () => {
    const path = await write(exchanges(1));
    await appendFile(path, '{"type": \nnot JSON\n{"type": "user", "mess');
    const { written, skipped } = await collect();
    expect(written).toHaveLength(1);
    const reason = 'part of it could not be parsed (2 lines, 17 bytes)';
    expect(skipped).toEqual([{ path, reason, isRead: true }]);
    expect((await collect()).skipped).toEqual([]);
  });

  it('is counted by the reason, even if its project is unknown, and is tried again', async () => {
    await consents.grant(project.path, 'codex');
    const folder = join(home, 'codex', 'archived_sessions');
    await mkdir(folder, { recursive: true });
    for (const name of ['a', 'b', 'c']) {
      await writeFile(join(folder, `rollout-${name}.jsonl.zst`), 'no frame');
    }
    const { skipped } = await collect();
    expect(skipped).toHaveLength(1);
    expect(skipped[0]?.path).toMatch(/rollout-.\.jsonl\.zst$/);
    expect(skipped[0]?.reason).toMatch(/; the same applies to 2 other transcripts$/);
    expect((await collect()).skipped).toEqual(skipped);
  });
});

describe('without consent', () => {
  it('no transcript is opened', async () => {
    await consents.withdraw(project.path, 'claude');
    await write(exchanges(1));
    expect(await collect()).toEqual({ written: [], skipped: [] });
  });

  it('for one agent, that of another one is opened', async () => {
    await write(exchanges(1));
    const lines = codexLines(exchanges(1, 7), { ...where(), session: 'cccc', layers: ['event'] });
    await writeCodex(join(home, 'codex'), lines, 'cccc');
    await collect();
    expect(await sessionFiles()).toEqual([`2026-11-01-${SESSION}.md`]);
    await consents.grant(project.path, 'codex');
    await collect();
    expect(await sessionFiles()).toEqual([`2026-11-01-${SESSION}.md`, '2026-11-01-cccc.md']);
  });
});

describe('a project whose settings forbid sessions', () => {
  it('has none, although the user has agreed', async () => {
    isAllowed = false;
    await write(exchanges(1));
    expect(await collect()).toEqual({ written: [], skipped: [] });
  });
});

describe('a session file that somebody deleted', () => {
  it('is not created again, and its session is listed', async () => {
    await write(exchanges(1));
    await collect();
    await unlink(join(sessions(), `2026-11-01-${SESSION}.md`));
    await write(exchanges(3));
    await collect();
    await write(exchanges(4));
    await collect();
    expect(await sessionFiles()).toEqual([]);
    expect(await readFile(join(sessions(), '.removed'), 'utf8')).toBe(`${SESSION}\n`);
  });
});

describe('a deleted session file of a transcript that does not change', () => {
  it('is not created again, even if the data folder is lost', async () => {
    await write(exchanges(1));
    await collect();
    await unlink(join(sessions(), `2026-11-01-${SESSION}.md`));
    await collect();
    expect(await readFile(join(sessions(), '.removed'), 'utf8')).toBe(`${SESSION}\n`);
    await rm(join(home, 'data', 'sessions'), { recursive: true });
    await collect();
    expect(await sessionFiles()).toEqual([]);
  });
});

describe('a session file whose writer was killed before it wrote the ledger', () => {
  it('gets each exchange once, and those that follow', async () => {
    await write(exchanges(1));
    await collect();
    const ledger = join(home, 'data', 'sessions');
    await cp(ledger, join(home, 'before'), { recursive: true });
    await write(exchanges(2));
    await collect();
    await cp(join(home, 'before'), ledger, { recursive: true });
    await collect();
    expect(headings(await readSession())).toEqual(['## Question 1?', '## Question 2?']);
    const lines = claudeLines(exchanges(2), where());
    const more = {
      type: 'assistant',
      uuid: 'more',
      timestamp: '2026-11-01T10:09:00.000Z',
      message: { content: 'One more thing.' },
    };
    await writeClaude(join(home, 'claude'), [...lines, more], SESSION);
    await collect();
    expect((await readSession()).endsWith('Answer 2.\n\nOne more thing.\n')).toBe(true);
  });
});

describe('a session file that is there without a ledger', () => {
  it('is continued, and nothing in it is repeated', async () => {
    await write(exchanges(2));
    await collect();
    await rm(join(home, 'data', 'sessions'), { recursive: true });
    await write(exchanges(3));
    await collect();
    expect(headings(await readSession())).toHaveLength(3);
  });
});

describe('a file of the folder that cannot be used', () => {
  it.each([
    [
      '.gitignore',
      () => mkdir(join(project.path, '.knowledge', '.gitignore'), { recursive: true }),
    ],
    ['.gitignore', () => writeLarge('.gitignore')],
    ['sessions/.removed', () => writeLarge('sessions/.removed')],
    [`sessions/2026-11-01-${SESSION}.md`, () => writeLarge(`sessions/2026-11-01-${SESSION}.md`)],
  ])('is reported, and the session is written once it can be used: %s', async (name, spoil) => {
    await spoil();
    const path = await write(exchanges(1));
    const reason = expect.stringContaining(name);
    expect(await collect()).toEqual({ written: [], skipped: [{ path, reason }] });
    await rm(join(project.path, '.knowledge', name), { recursive: true });
    expect((await collect()).written).toHaveLength(1);
  });

  async function writeLarge(name: string): Promise<void> {
    await mkdir(sessions(), { recursive: true });
    await writeFile(join(project.path, '.knowledge', name), 'x'.repeat(3 * 1024 * 1024));
  }
});

describe('a long session', () => {
  it('continues in another file before one is too large', async () => {
    const long = exchanges(40).map(({ prompt }) => ({
      prompt,
      answer: 'words and '.repeat(10_000),
    }));
    await write(long);
    await collect();
    const names = await sessionFiles();
    expect(names.toSorted()).toEqual(
      ['-2', '-3', ''].map((part) => `2026-11-01-${SESSION}${part}.md`),
    );
    for (const name of names) {
      expect((await stat(join(sessions(), name))).size).toBeLessThanOrEqual(SESSION_FILE_MAX_BYTES);
    }
    const all = await Promise.all(names.map(readSession));
    expect(all.flatMap(headings)).toHaveLength(40);
  });

  it('may have ten thousand exchanges', async () => {
    await write(exchanges(10_000));
    await collect();
    const all = await Promise.all((await sessionFiles()).map(readSession));
    expect(all.flatMap(headings)).toHaveLength(10_000);
  });
});
