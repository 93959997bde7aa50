import { basename, join } from 'node:path';
import { isRecord } from '../../domain/records.js';
import type { Message, Transcript } from '../../domain/sessions/transcript.js';
import type {
  SkippedTranscript,
  TranscriptFile,
  TranscriptSource,
} from '../../ports/transcripts.js';
import { readJsonLines } from './json-lines.js';
import { messageKeys } from './message-keys.js';
import { listTranscripts } from './transcript-files.js';

/**
 * Reads transcripts of Claude Code: `<config>/projects/<folder>/<session id>.jsonl`, with one JSON object per line.
 * Lines of the types `user` and `assistant` are messages. Lines of subagents, injected lines and summaries of
 * compactions are left out.
 */
export class ClaudeTranscripts implements TranscriptSource {
  readonly agent = 'claude';
  readonly #projects: string;

  /** @param configDir `$CLAUDE_CONFIG_DIR`, by default `~/.claude` */
  constructor(configDir: string) {
    this.#projects = join(configDir, 'projects');
  }

  async list(): Promise<readonly TranscriptFile[]> {
    const files = await listTranscripts(this.#projects, (name) => name.endsWith(EXTENSION));
    const depth = this.#projects.split('/').length + 2;
    return files.filter(({ path }) => path.split('/').length === depth);
  }

  async findDirectory(path: string): Promise<string | undefined> {
    let directory: string | undefined;
    await readJsonLines(path, ({ value }) => {
      if (typeof value?.['cwd'] !== 'string') return undefined;
      directory = value['cwd'];
      return 'stop';
    });
    return directory;
  }

  async read(path: string): Promise<Transcript | SkippedTranscript> {
    const messages: Message[] = [];
    const notUnderstood = { lines: 0, bytes: 0 };
    let branch: string | undefined;
    const skipped = await readJsonLines(path, ({ value, bytes }) => {
      if (value === undefined || typeof value['type'] !== 'string') {
        if (bytes > 0) notUnderstood.lines += 1;
        notUnderstood.bytes += bytes;
        return undefined;
      }
      if (typeof value['gitBranch'] === 'string') branch ??= value['gitBranch'] || undefined;
      const message = readMessage(value);
      if (message !== undefined) messages.push(message);
      return undefined;
    });
    if (skipped !== undefined) return skipped;
    const session = basename(path, EXTENSION);
    return { agent: this.agent, session, ...(branch && { branch }), messages, notUnderstood };
  }
}

const EXTENSION = '.jsonl';

type Line = Readonly<Record<string, unknown>>;

/** Undefined for a line that is not part of the conversation. */
function readMessage(line: Line): Message | undefined {
  const { type: role, message, timestamp: at, uuid } = line;
  if (role !== 'user' && role !== 'assistant') return undefined;
  if (LEFT_OUT.some((flag) => line[flag] === true)) return undefined;
  if (!isRecord(message) || typeof at !== 'string' || Number.isNaN(Date.parse(at)))
    return undefined;
  if (message['model'] === '<synthetic>') return undefined;
  const text = role === 'user' ? promptText(message['content']) : readText(message['content']);
  if (text.trim() === '') return undefined;
  const said = { role, text: text.trim(), at: new Date(at).toISOString() } as const;
  const id = typeof uuid === 'string' ? uuid : undefined;
  return { ...said, keys: messageKeys(said.at, said.text, id) };
}

const LEFT_OUT = ['isSidechain', 'isMeta', 'isCompactSummary', 'isApiErrorMessage'] as const;

/** The text of a message: its string, or its blocks of type `text`. Others are thinking, tool calls and results. */
function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.flatMap((block: unknown) =>
    isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string'
      ? [block['text']]
      : [],
  );
  return texts.join('\n\n');
}

/** A prompt without the context that Claude Code injects. Empty if there is nothing else. */
function promptText(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) =>
    withoutInjected(readText(typeof block === 'string' ? block : [block])),
  );
  const text = texts.filter((part) => part !== '').join('\n\n');
  return /^\[Request interrupted by user[^\]]{0,40}\]$/.test(text) ? '' : text;
}

function withoutInjected(text: string): string {
  const command = COMMAND.exec(text);
  if (command !== null) {
    const args = contentOf(text, 'command-args').trim();
    return args === '' ? '' : `${command[1]?.trim()} ${args}`;
  }
  return INJECTED.reduce((rest, tag) => withoutTag(rest, tag), text).trim();
}

/** Matches a command of the agent. A prompt that only mentions one begins with other text. */
const COMMAND =
  /^\s*(?:<command-(?:message|args)>[^<]*<\/command-(?:message|args)>\s*)*<command-name>([^<]{1,200})<\/command-name>/;

const INJECTED = [
  'system-reminder',
  'local-command-stdout',
  'local-command-stderr',
  'local-command-caveat',
  'command-message',
  'command-args',
  'bash-stdout',
  'bash-stderr',
  'task-notification',
  'ide_opened_file',
  'ide_selection',
  'user-prompt-submit-hook',
] as const;

/** The content of the first element with this tag; empty if there is none or it is not closed. */
function contentOf(text: string, tag: string): string {
  const start = text.indexOf(`<${tag}>`);
  const end = start === -1 ? -1 : text.indexOf(`</${tag}>`, start);
  return end === -1 ? '' : text.slice(start + tag.length + 2, end);
}

/** Removes each element with this tag, and its content. A tag after a backtick is only a mention. */
function withoutTag(text: string, tag: string): string {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  let rest = text;
  let start = rest.indexOf(open);
  while (start !== -1) {
    if (rest[start - 1] === '`') start += open.length;
    else {
      const end = rest.indexOf(close, start);
      if (end === -1) return withoutOpenTag(rest, open, start);
      rest = rest.slice(0, start) + rest.slice(end + close.length);
    }
    start = rest.indexOf(open, start);
  }
  return rest;
}

/** Removes everything from an unclosed tag to the end, if the tag begins a line; elsewhere it is only a mention. */
function withoutOpenTag(text: string, open: string, start: number): string {
  const beginsLine = start === 0 || text[start - 1] === '\n';
  const cut = beginsLine ? start : text.indexOf(`\n${open}`, start);
  return cut === -1 ? text : text.slice(0, cut);
}
