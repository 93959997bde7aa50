import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** One exchange of an invented conversation. */
export interface Said {
  readonly prompt: string;
  readonly answer: string;
}

interface ConversationOptions {
  readonly cwd: string;
  readonly session: string;
  /** Time of the first message; each later one follows after a second. Default: 2026-11-01, 10:00 UTC. */
  readonly start?: Date;
  readonly branch?: string;
}

export function exchanges(count: number, from = 1): readonly Said[] {
  return Array.from({ length: count }, (_, index) => ({
    prompt: `Question ${from + index}?`,
    answer: `Answer ${from + index}.`,
  }));
}

const START = new Date('2026-11-01T10:00:00.000Z');

function timeAt({ start = START }: ConversationOptions, second: number): string {
  return new Date(start.getTime() + second * 1000).toISOString();
}

/**
 * The lines of a Claude Code transcript: the conversation, and between its messages all the lines that are left out.
 */
export function claudeLines(
  said: readonly Said[],
  options: ConversationOptions,
): readonly object[] {
  const { cwd, session, branch = 'main' } = options;
  const base = { cwd, sessionId: session, gitBranch: branch, version: '2.1.0', isSidechain: false };
  const line = (type: string, second: number, more: object) => ({
    ...base,
    type,
    uuid: `${session}-${second}-${type}`,
    timestamp: timeAt(options, second),
    ...more,
  });
  const user = (second: number, content: unknown, more: object = {}) =>
    line('user', second, { message: { role: 'user', content }, ...more });
  return [
    { type: 'file-history-snapshot', snapshot: {} },
    { type: 'summary', summary: 'HIDDEN summary', leafUuid: 'x' },
    user(0, 'HIDDEN meta', { isMeta: true }),
    user(0, '<command-name>/clear</command-name><command-args></command-args>HIDDEN'),
    user(0, '<local-command-caveat>HIDDEN caveat</local-command-caveat>'),
    user(0, '<local-command-stdout>HIDDEN output</local-command-stdout>'),
    ...said.flatMap(({ prompt, answer }, index) => [
      user(4 * index + 1, PROMPT_FORMS[index % PROMPT_FORMS.length]?.(prompt), {
        cwd: index === 0 ? cwd : `${cwd}/below`,
      }),
      { type: 'file-history-snapshot', isSnapshotUpdate: true, snapshot: { HIDDEN: 'file' } },
      line('assistant', 4 * index + 2, {
        message: {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'HIDDEN thought' },
            { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'HIDDEN call' } },
          ],
        },
      }),
      user(4 * index + 2, [{ type: 'tool_result', tool_use_id: 't', content: 'HIDDEN result' }]),
      line('assistant', 4 * index + 2, {
        uuid: `${session}-${index}-side`,
        isSidechain: true,
        message: { role: 'assistant', content: [{ type: 'text', text: 'HIDDEN subagent' }] },
      }),
      line('assistant', 4 * index + 3, {
        message: { role: 'assistant', content: [{ type: 'text', text: answer }] },
      }),
    ]),
    user(9_999, 'HIDDEN compaction', { isCompactSummary: true }),
    line('system', 9_999, { content: 'HIDDEN system' }),
  ];
}

/** A prompt as a string, and as blocks next to attachments. */
const PROMPT_FORMS: readonly ((prompt: string) => unknown)[] = [
  (prompt) => `${prompt}<system-reminder>HIDDEN reminder</system-reminder>`,
  (prompt) => [
    { type: 'document', title: 'HIDDEN title', source: { type: 'text', data: 'HIDDEN document' } },
    { type: 'text', text: prompt },
    { type: 'image', source: { type: 'base64', data: 'HIDDEN image' } },
    { type: 'text', text: '<system-reminder>HIDDEN reminder</system-reminder>' },
  ],
];

export type CodexLayer = 'item_completed' | 'event' | 'response_item';

/** The lines of a Codex rollout. The messages occur in each of these layers. */
export function codexLines(
  said: readonly Said[],
  options: ConversationOptions & { readonly layers: readonly CodexLayer[] },
): readonly object[] {
  const { cwd, session, branch = 'main', layers } = options;
  const line = (type: string, second: number, payload: object) => ({
    timestamp: timeAt(options, second),
    type,
    payload,
  });
  const message = (second: number, role: 'user' | 'assistant', text: string) =>
    layers.map((layer) => line(...MESSAGES[layer](second, role, text)));
  return [
    line('session_meta', 0, { id: session, cwd, git: { branch }, cli_version: '0.150.0' }),
    line(
      'response_item',
      0,
      responseItem('user', '<environment_context>HIDDEN</environment_context>'),
    ),
    line('response_item', 0, responseItem('user', '<user_instructions>HIDDEN</user_instructions>')),
    line('response_item', 0, responseItem('user', '# AGENTS.md instructions for /p\nHIDDEN')),
    line('response_item', 0, responseItem('developer', 'HIDDEN developer')),
    line('turn_context', 0, { cwd, model: 'm' }),
    ...said.flatMap(({ prompt, answer }, index) => [
      ...message(3 * index + 1, 'user', prompt),
      ...CODEX_WORK.map(([type, payload]) => line(type, 3 * index + 2, payload)),
      ...message(3 * index + 3, 'assistant', answer),
    ]),
    line('compacted', 9_999, { message: 'HIDDEN summary' }),
  ];
}

/** Lines between a prompt and its response that are not messages. */
const CODEX_WORK: readonly (readonly [type: string, payload: object])[] = [
  ['response_item', { type: 'reasoning', summary: [{ type: 'summary_text', text: 'HIDDEN' }] }],
  ['response_item', { type: 'function_call', arguments: 'HIDDEN call' }],
  ['response_item', { type: 'function_call_output', output: 'HIDDEN output' }],
  ['response_item', { type: 'local_shell_call', action: { command: ['HIDDEN'] } }],
  ['response_item', { type: 'custom_tool_call', name: 'apply_patch', input: 'HIDDEN patch' }],
  ['response_item', { type: 'custom_tool_call_output', output: 'HIDDEN output' }],
  ['event_msg', { type: 'agent_reasoning', text: 'HIDDEN reasoning' }],
  ['event_msg', { type: 'token_count', info: { HIDDEN: 1 } }],
  ['event_msg', { type: 'exec_command_end', aggregated_output: 'HIDDEN output' }],
  [
    'event_msg',
    { type: 'item_completed', item: { type: 'Reasoning', summary_text: ['HIDDEN reasoning'] } },
  ],
  [
    'event_msg',
    { type: 'item_completed', item: { type: 'CommandExecution', aggregated_output: 'HIDDEN' } },
  ],
];

function responseItem(role: string, text: string): object {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return { type: 'message', role, content: [{ type, text }] };
}

const MESSAGES: Readonly<
  Record<
    CodexLayer,
    (second: number, role: 'user' | 'assistant', text: string) => [string, number, object]
  >
> = {
  item_completed: (second, role, text) => {
    const type = role === 'user' ? 'UserMessage' : 'AgentMessage';
    const content = [{ type: role === 'user' ? 'text' : 'Text', text }];
    const item = { type, content, ...(role === 'assistant' && { phase: 'final_answer' }) };
    return ['event_msg', second, { type: 'item_completed', item }];
  },
  event: (second, role, text) => {
    const type = role === 'user' ? 'user_message' : 'agent_message';
    return ['event_msg', second, { type, message: text }];
  },
  response_item: (second, role, text) => ['response_item', second, responseItem(role, text)],
};

export function toJsonl(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Writes a transcript to where Claude Code would, and returns its path. */
export async function writeClaude(
  configDir: string,
  lines: readonly object[],
  session: string,
): Promise<string> {
  return write(join(configDir, 'projects', '-made-up', `${session}.jsonl`), toJsonl(lines));
}

/** Writes a rollout to where Codex would, and returns its path. */
export async function writeCodex(
  home: string,
  lines: readonly object[],
  session: string,
): Promise<string> {
  const name = `rollout-2026-11-01T10-00-00-${session}.jsonl`;
  return write(join(home, 'sessions', '2026', '11', '01', name), toJsonl(lines));
}

async function write(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}
