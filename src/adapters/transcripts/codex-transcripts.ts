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
 * Reads transcripts of Codex: `<home>/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`, and the same names in
 * `archived_sessions`. Versions of Codex write messages in up to three layers, some of them twice, so only the newest
 * layer that has a prompt is used.
 */
export class CodexTranscripts implements TranscriptSource {
  readonly agent = 'codex';
  readonly #home: string;

  /** @param home `$CODEX_HOME`, by default `~/.codex` */
  constructor(home: string) {
    this.#home = home;
  }

  async list(): Promise<readonly TranscriptFile[]> {
    const folders = ['archived_sessions', 'sessions'].map((name) => join(this.#home, name));
    const isRollout = (name: string) => /^rollout-.*\.jsonl(?:\.zst)?$/.test(name);
    return (await Promise.all(folders.map((one) => listTranscripts(one, isRollout)))).flat();
  }

  async findDirectory(path: string): Promise<string | undefined> {
    let directory: string | undefined;
    await readJsonLines(path, ({ value }) => {
      const payload = value?.['payload'];
      if (!isRecord(payload) || typeof payload['cwd'] !== 'string') return undefined;
      directory = payload['cwd'];
      return 'stop';
    });
    return directory;
  }

  async read(path: string): Promise<Transcript | SkippedTranscript> {
    const rollout = new Rollout(basename(path).replace(/\.jsonl(?:\.zst)?$/, ''));
    const skipped = await readJsonLines(path, ({ value, bytes }) => {
      if (value !== undefined) rollout.add(value);
      else if (bytes > 0) rollout.countBroken(bytes);
      return rollout.isSubagent ? 'stop' : undefined;
    });
    return skipped ?? rollout.transcript();
  }
}

type Line = Readonly<Record<string, unknown>>;

/** The layers in which Codex writes messages, newest first. */
const LAYERS = ['item_completed', 'event', 'response_item'] as const;

type Layer = (typeof LAYERS)[number];

/** Collects a session while its file is read. */
class Rollout {
  readonly #layers: Readonly<Record<Layer, Message[]>> = {
    item_completed: [],
    event: [],
    response_item: [],
  };
  readonly #notUnderstood = { lines: 0, bytes: 0 };
  readonly #name: string;
  #meta: Line | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  get isSubagent(): boolean {
    const { thread_source: source, parent_thread_id: parent } = this.#meta ?? {};
    return source === 'subagent' || typeof parent === 'string';
  }

  add(line: Line): void {
    const { type, payload, timestamp } = line;
    if (!isRecord(payload)) return;
    // Only the first description counts: a fork copies the lines of its origin, including the description.
    if (type === 'session_meta') this.#meta ??= payload;
    const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
    if (Number.isNaN(at)) return;
    const found = readMessage(type, payload);
    if (found === undefined) return;
    const text = found.role === 'user' ? promptText(found.text) : found.text.trim();
    if (text === '') return;
    const said = { role: found.role, text, at: new Date(at).toISOString() };
    this.#layers[found.layer].push({ ...said, keys: messageKeys(said.at, text) });
  }

  countBroken(bytes: number): void {
    this.#notUnderstood.lines += 1;
    this.#notUnderstood.bytes += bytes;
  }

  transcript(): Transcript {
    const hasPrompt = (layer: Layer) => this.#layers[layer].some(({ role }) => role === 'user');
    const layer = LAYERS.find(hasPrompt);
    const { id, git } = this.#meta ?? {};
    const branch = isRecord(git) ? git['branch'] : undefined;
    return {
      agent: 'codex',
      session: typeof id === 'string' ? id : this.#name,
      ...(typeof branch === 'string' && branch !== '' && { branch }),
      messages: layer === undefined || this.isSubagent ? [] : this.#layers[layer],
      notUnderstood: this.#notUnderstood,
    };
  }
}

interface LayeredText {
  readonly layer: Layer;
  readonly role: Message['role'];
  readonly text: string;
}

/** Undefined for lines that are not messages: reasoning, tool calls and their results, and system messages. */
function readMessage(type: unknown, payload: Line): LayeredText | undefined {
  const { type: kind, item, message } = payload;
  if (type === 'response_item' && kind === 'message') {
    const role = payload['role'];
    if (role !== 'user' && role !== 'assistant') return undefined;
    return { layer: 'response_item', role, text: readBlocks(payload['content']) };
  }
  if (type !== 'event_msg') return undefined;
  if (kind === 'item_completed' && isRecord(item)) return readItem(item);
  if (typeof message !== 'string') return undefined;
  if (kind === 'user_message') return { layer: 'event', role: 'user', text: message };
  return kind === 'agent_message'
    ? { layer: 'event', role: 'assistant', text: message }
    : undefined;
}

function readItem(item: Line): LayeredText | undefined {
  const text = readBlocks(item['content']);
  if (item['type'] === 'UserMessage') return { layer: 'item_completed', role: 'user', text };
  if (item['type'] !== 'AgentMessage') return undefined;
  return { layer: 'item_completed', role: 'assistant', text };
}

function readBlocks(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.flatMap((block: unknown) =>
    isRecord(block) && TEXT_BLOCKS.has(block['type']) && typeof block['text'] === 'string'
      ? [block['text']]
      : [],
  );
  return texts.join('\n\n');
}

const TEXT_BLOCKS: ReadonlySet<unknown> = new Set(['text', 'Text', 'input_text', 'output_text']);

/** A prompt without the context that Codex and editors inject. Empty if there is nothing else. */
function promptText(text: string): string {
  const request = REQUEST_LINE.exec(text);
  const prompt = (request === null ? text : text.slice(request.index + request[0].length)).trim();
  return INJECTED.some((start) => prompt.startsWith(start)) ? '' : prompt;
}

/** The line that an editor puts between its context and the prompt. */
const REQUEST_LINE = /^## My request for Codex:[ \t]*\r?$/m;

const INJECTED = [
  '<environment_context>',
  '<user_instructions>',
  '<turn_aborted>',
  '<permissions instructions>',
  '<skills_instructions>',
  '<user_shell_command>',
  '<subagent_notification>',
  '<INSTRUCTIONS>',
  '# AGENTS.md instructions',
] as const;
