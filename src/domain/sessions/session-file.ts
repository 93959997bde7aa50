import { redactSecrets } from '../redaction.js';
import { containMarkdown } from './contained-markdown.js';
import type { Exchange, Message, SessionAgent } from './transcript.js';

/** The frontmatter of a session file. */
export interface SessionDescription {
  readonly agent: SessionAgent;
  readonly session: string;
  readonly branch?: string | undefined;
  /** ISO 8601. */
  readonly started: string;
  readonly ended: string;
  readonly title: string;
}

/** Before a session file exceeds this size, the session continues in another file. */
export const SESSION_FILE_MAX_BYTES = 1.5 * 1024 * 1024;

/** The same applies after this many exchanges: a file with more sections would be cut by size. */
export const SESSION_FILE_MAX_EXCHANGES = 1000;

/** The name of the first file of a session, without its ending: the date of its start in UTC, and its id. */
export function sessionFileName({
  started,
  session,
}: Pick<SessionDescription, 'started' | 'session'>): string {
  const id = session.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, SESSION_ID_MAX_CHARACTERS);
  return `${started.slice(0, 10)}-${id}`;
}

const SESSION_ID_MAX_CHARACTERS = 80;

/** A session file without exchanges. */
export function renderSessionHead(description: SessionDescription): string {
  const { agent, session, branch, started, ended, title } = description;
  const fields = { agent, session, branch, started, ended, title: redactSecrets(title) };
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---', ''].join('\n');
}

/** Sets a later end of the session; unchanged if a person removed the line. */
export function withEnd(text: string, ended: string): string {
  return text.replace(/^(---\n(?:[a-z]+: .*\n){0,8}ended: ).*/, `$1${JSON.stringify(ended)}`);
}

/**
 * One exchange as a `##` section: its time in a comment, the prompt, and the text of the answer. Secrets are redacted.
 */
export function renderExchange({ prompts, answers }: Exchange): string {
  const [first] = prompts;
  return [
    '',
    `## ${exchangeHeading(prompts)}`,
    timeComment(first?.at ?? ''),
    '',
    renderMessages(prompts),
    '',
    renderMessages(answers),
    '',
  ].join('\n');
}

/** Text of the agent that continues the last written exchange of the file. */
export function renderContinuation(answers: readonly Message[]): string {
  return ['', renderMessages(answers), ''].join('\n');
}

function renderMessages(messages: readonly Message[]): string {
  const text = messages.map((message) => cut(redactSecrets(message.text.trim()))).join('\n\n');
  return containMarkdown(text.replace(/\r\n?/g, '\n'));
}

/** Cuts a text so that it fits into a file. */
function cut(text: string): string {
  if (text.length <= MESSAGE_MAX_CHARACTERS) return text;
  return `${text.slice(0, MESSAGE_MAX_CHARACTERS).toWellFormed()}\n\n[cut]`;
}

const MESSAGE_MAX_CHARACTERS = 200_000;

/** The first line of a prompt with a letter or digit, without Markdown's heading markers. */
export function exchangeHeading(prompts: readonly Message[]): string {
  const lines = redactSecrets(prompts.map(({ text }) => text).join('\n')).split(/[\r\n]/);
  const line = lines.find((one) => /[\p{L}\p{N}]/u.test(one)) ?? 'Prompt';
  const heading = line.replace(/\s+/g, ' ').replace(/^[\s#>]+|(?<![\s#])[\s#]+$/g, '');
  const characters = [...heading];
  if (characters.length <= HEADING_MAX_CHARACTERS) return heading;
  return `${characters
    .slice(0, HEADING_MAX_CHARACTERS - 1)
    .join('')
    .trimEnd()}…`;
}

const HEADING_MAX_CHARACTERS = 80;

function timeComment(at: string): string {
  return `<!-- ${at} -->`;
}

const TIME_COMMENT = /^\s{0,3}<!-- (\d{4}-\d{2}-\d{2}T[\d:.]{5,12}Z) -->[ \t]*$/;

/** The time of an exchange, read from the line below its heading; undefined if a person removed it. */
export function readExchangeTime(line: string): string | undefined {
  return TIME_COMMENT.exec(line)?.[1];
}

/** The times of the exchanges in a session file, the latest last. */
export function readExchangeTimes(text: string): readonly string[] {
  const times = text.split('\n').flatMap((line) => readExchangeTime(line) ?? []);
  return times.toSorted();
}
