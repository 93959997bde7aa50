import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClaudeTranscripts } from '../../../src/adapters/transcripts/claude-transcripts.js';
import { CodexTranscripts } from '../../../src/adapters/transcripts/codex-transcripts.js';
import { groupExchanges, type Transcript } from '../../../src/domain/sessions/transcript.js';
import type { TranscriptSource } from '../../../src/ports/transcripts.js';
import {
  type CodexLayer,
  claudeLines,
  codexLines,
  exchanges,
  toJsonl,
  writeClaude,
  writeCodex,
} from '../../support/transcripts.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transcripts-'));
});
afterEach(() => rm(folder, { recursive: true }));

const SESSION = '0a1b2c3d-0000-4000-8000-000000000001';
const WHERE = { cwd: '/home/me/shop/packages/api', session: SESSION, branch: 'feature/x' };

/** Each format writes the same conversation, and has a reader. */
const FORMATS = [
  {
    name: 'Claude Code',
    source: () => new ClaudeTranscripts(folder),
    write: (count: number) => writeClaude(folder, claudeLines(exchanges(count), WHERE), SESSION),
  },
  ...(
    [
      ['item_completed'],
      ['event'],
      ['response_item'],
      ['item_completed', 'response_item'],
      ['event', 'response_item'],
      ['item_completed', 'event', 'response_item'],
    ] as const satisfies readonly (readonly CodexLayer[])[]
  ).map((layers) => ({
    name: `Codex, messages as ${layers.join(' and ')}`,
    source: () => new CodexTranscripts(folder),
    write: (count: number) =>
      writeCodex(folder, codexLines(exchanges(count), { ...WHERE, layers }), SESSION),
  })),
];

describe.each(FORMATS)('a transcript of $name', ({ source, write }) => {
  it('is the conversation, and nothing that is left out', async () => {
    const path = await write(3);
    const transcript = await read(source(), path);
    expect(transcript).toMatchObject({ session: SESSION, branch: 'feature/x' });
    expect(transcript.notUnderstood).toEqual({ lines: 0, bytes: 0 });
    expect(conversation(transcript)).toEqual(exchanges(3));
    expect(JSON.stringify(transcript)).not.toContain('HIDDEN');
  });

  it('is listed, and names its first working directory', async () => {
    const path = await write(1);
    expect(await source().list()).toEqual([
      { path, version: expect.any(String), modifiedAt: expect.any(Number) },
    ]);
    expect(await source().findDirectory(path)).toBe(WHERE.cwd);
  });

  it('gets another version when it grows', async () => {
    const path = await write(1);
    const [before] = await source().list();
    await appendFile(path, '{}\n');
    const [after] = await source().list();
    expect(after?.version).not.toBe(before?.version);
  });

  it('is read around broken lines, whose size is reported', async () => {
    const path = await write(2);
    const broken = ['{"type":', 'null', '[1]', '\u0000\u0001', '"text"'].join('\n');
    await appendFile(path, `${broken}\n\n{"type":"unknown","payload":1}\n{"type":"user"}\n`);
    const transcript = await read(source(), path);
    expect(conversation(transcript)).toEqual(exchanges(2));
    expect(transcript.notUnderstood.lines).toBe(5);
    expect(transcript.notUnderstood.bytes).toBe(broken.length - 4);
  });

  it('is read without its last line if that line is cut off', async () => {
    const path = await write(2);
    await appendFile(path, '{"type":"assistant","message":{"content":"half');
    expect(conversation(await read(source(), path))).toEqual(exchanges(2));
  });

  it('may have a line of 20 MB', async () => {
    const path = await write(1);
    await appendFile(path, `{"type":"x","data":"${'A'.repeat(20 * 1024 * 1024)}"}\n`);
    const transcript = await read(source(), path);
    expect(conversation(transcript)).toEqual(exchanges(1));
    expect(transcript.notUnderstood.bytes).toBeGreaterThan(20 * 1024 * 1024);
  });

  it('may begin with a byte-order mark', async () => {
    const path = await write(1);
    const text = await readFile(path, 'utf8');
    await writeFile(path, `\uFEFF${text}`);
    const transcript = await read(source(), path);
    expect(transcript.notUnderstood).toEqual({ lines: 0, bytes: 0 });
    expect(transcript.session).toBe(SESSION);
  });

  it('may be empty, or no text at all', async () => {
    const path = await write(1);
    await truncate(path);
    expect((await read(source(), path)).messages).toEqual([]);
    await writeFile(path, Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80]));
    expect((await read(source(), path)).messages).toEqual([]);
    expect(await source().findDirectory(path)).toBeUndefined();
  });
});

describe('what is not a transcript', () => {
  it('is not listed: links, folders and other files', async () => {
    const path = await writeClaude(folder, claudeLines(exchanges(1), WHERE), SESSION);
    await symlink(path, join(folder, 'projects', '-made-up', 'link.jsonl'));
    await mkdir(join(folder, 'projects', '-made-up', 'folder.jsonl'));
    await writeFile(join(folder, 'projects', '-made-up', 'notes.md'), '');
    await mkdir(join(folder, 'projects', '-made-up', 'subagents'));
    await writeFile(join(folder, 'projects', '-made-up', 'subagents', 'agent-1.jsonl'), '{}');
    expect((await new ClaudeTranscripts(folder).list()).map((file) => file.path)).toEqual([path]);
  });

  it('is skipped with a reason when it is read all the same', async () => {
    const source = new ClaudeTranscripts(folder);
    expect(await source.read(join(folder, 'gone.jsonl'))).toEqual({ skipped: 'it cannot be read' });
    expect(await source.read(folder)).toHaveProperty('skipped');
    await symlink('/etc/hostname', join(folder, 'link.jsonl'));
    expect(await source.read(join(folder, 'link.jsonl'))).toHaveProperty('skipped');
  });

  it('is no reason to fail: there may be no agent on the machine', async () => {
    expect(await new ClaudeTranscripts(join(folder, 'none')).list()).toEqual([]);
    expect(await new CodexTranscripts(join(folder, 'none')).list()).toEqual([]);
  });
});

describe('Claude Code', () => {
  it.each([
    ['a string', 'Fix the build.', 'Fix the build.'],
    [
      'blocks',
      [{ type: 'text', text: 'One.' }, { type: 'image' }, { type: 'text', text: 'Two.' }],
      'One.\n\nTwo.',
    ],
    [
      'a command with arguments',
      '<command-message>review</command-message><command-name>/review</command-name><command-args>the cache</command-args>',
      '/review the cache',
    ],
    ['text around a reminder', 'Before <system-reminder>x</system-reminder>after', 'Before after'],
    ['text before a reminder that is not closed', 'Before\n<system-reminder>x', 'Before'],
    ['about a tag', 'What does <system-reminder> mean?', 'What does <system-reminder> mean?'],
    [
      'about a tag and its end, in code spans',
      'Why `<bash-stdout>` and `</bash-stdout>`?',
      'Why `<bash-stdout>` and `</bash-stdout>`?',
    ],
    [
      'about a command',
      'Explain <command-name>/x</command-name> here.',
      'Explain <command-name>/x</command-name> here.',
    ],
  ])('has a prompt that is %s', async (_, content, prompt) => {
    const at = '2026-11-01T10:00:00.000Z';
    const lines = [
      { type: 'user', uuid: 'a', timestamp: at, message: { content } },
      { type: 'assistant', uuid: 'b', timestamp: at, message: { content: 'Done.' } },
    ];
    const path = await writeClaude(folder, lines, SESSION);
    const transcript = await read(new ClaudeTranscripts(folder), path);
    expect(conversation(transcript)).toEqual([{ prompt, answer: 'Done.' }]);
  });

  it('has a prompt with many arguments that are never closed', async () => {
    const content = `<command-name>/review</command-name>${'<command-args>'.repeat(20_000)}`;
    const line = { type: 'user', timestamp: '2026-11-01T10:00:00.000Z', message: { content } };
    const path = await writeClaude(folder, [line], SESSION);
    const start = performance.now();
    expect((await read(new ClaudeTranscripts(folder), path)).messages).toEqual([]);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it.each([
    '[Request interrupted by user]',
    '[Request interrupted by user for tool use]',
    '<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>',
    '   ',
  ])('has no prompt in %j', async (content) => {
    const lines = [
      { type: 'user', uuid: 'a', timestamp: '2026-11-01T10:00:00Z', message: { content } },
    ];
    const path = await writeClaude(folder, lines, SESSION);
    expect((await read(new ClaudeTranscripts(folder), path)).messages).toEqual([]);
  });
});

describe('Codex', () => {
  it('finds the prompt of an editor after the line that introduces it', async () => {
    const prompt = '# Context from my IDE\nHIDDEN\n## My request for Codex:\nFix the build.\n';
    const lines = codexLines([{ prompt, answer: 'Done.' }], { ...WHERE, layers: ['event'] });
    const path = await writeCodex(folder, lines, SESSION);
    const transcript = await read(new CodexTranscripts(folder), path);
    expect(conversation(transcript)).toEqual([{ prompt: 'Fix the build.', answer: 'Done.' }]);
  });

  it.each([
    'Why is there ## My request for Codex: in a prompt?',
    '# Context from my IDE\nHIDDEN\n## My request for Codex:\nWhy is there\n\n## My request for Codex:\n\nin it?',
  ])('keeps a prompt that quotes this line: %j', async (prompt) => {
    const lines = codexLines([{ prompt, answer: 'Done.' }], { ...WHERE, layers: ['event'] });
    const path = await writeCodex(folder, lines, SESSION);
    const [exchange] = conversation(await read(new CodexTranscripts(folder), path));
    expect(exchange?.prompt).toBe(prompt.replace(/^# Context[\s\S]*?Codex:\n/, ''));
  });

  it('names a fork by itself, although the description of its origin is copied into it', async () => {
    const origin = codexLines(exchanges(2), { ...WHERE, session: 'origin', layers: ['event'] });
    const [meta] = codexLines([], { ...WHERE, branch: 'fork', layers: [] });
    const path = await writeCodex(folder, [meta as object, ...origin], SESSION);
    const transcript = await read(new CodexTranscripts(folder), path);
    expect(transcript).toMatchObject({ session: SESSION, branch: 'fork' });
    expect(conversation(transcript)).toEqual(exchanges(2));
  });

  it.each([{ thread_source: 'subagent' }, { parent_thread_id: 'p' }])(
    'has no conversation in the file of a subagent: %o',
    async (mark) => {
      const lines = codexLines(exchanges(2), { ...WHERE, layers: ['event'] });
      const [meta, ...rest] = lines as [{ payload: object }, ...object[]];
      const marked = { ...meta, payload: { ...meta.payload, ...mark } };
      const path = await writeCodex(folder, [marked, ...rest], SESSION);
      expect((await read(new CodexTranscripts(folder), path)).messages).toEqual([]);
    },
  );

  it('has archived sessions, and compressed ones if Node reads them', async () => {
    const text = toJsonl(codexLines(exchanges(1), { ...WHERE, layers: ['event'] }));
    await mkdir(join(folder, 'archived_sessions'));
    await writeFile(join(folder, 'archived_sessions', 'rollout-1-a.jsonl'), text);
    await writeFile(join(folder, 'archived_sessions', 'rollout-2-b.jsonl.zst'), 'no frame');
    const source = new CodexTranscripts(folder);
    const [plain, compressed] = await source.list();
    expect(conversation(await read(source, plain?.path ?? ''))).toEqual(exchanges(1));
    expect(await source.read(compressed?.path ?? '')).toHaveProperty('skipped');
  });
});

async function read(source: TranscriptSource, path: string): Promise<Transcript> {
  const reading = await source.read(path);
  if ('skipped' in reading) throw new Error(reading.skipped);
  return reading;
}

function conversation({ messages }: Transcript) {
  return groupExchanges(messages).map(({ prompts, answers }) => ({
    prompt: prompts.map(({ text }) => text).join('\n\n'),
    answer: answers.map(({ text }) => text).join('\n\n'),
  }));
}
