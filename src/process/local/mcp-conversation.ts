import { isRecord } from '../../domain/records.js';
import { tryParseJson } from '../../shared/try-parse-json.js';

type Write = (line: string) => void;

/**
 * The messages between an MCP client and the service. If the service is replaced, the new one gets the same greeting
 * and all pending calls that only read. For any other call, the client learns that the answer is lost.
 */
export class Conversation {
  readonly #toClient: Write;
  #toService: Write | undefined;
  /** The lines by which the client introduced itself. */
  readonly #greeting: string[] = [];
  /**
   * Id of the client's `initialize` request. If the next service answers it again, the client does not get that answer.
   */
  #greetingId: unknown;
  #isGreeting = false;
  readonly #unanswered = new Map<unknown, string>();
  /** Messages from the client that arrived while no service was connected. */
  #waiting: string[] = [];

  constructor(toClient: Write) {
    this.#toClient = toClient;
  }

  connect(toService: Write): void {
    const asked = [...this.#unanswered].filter(([id]) => id !== this.#greetingId);
    this.#toService = toService;
    this.#isGreeting = this.#greeting.length > 0 && !this.#unanswered.has(this.#greetingId);
    for (const line of this.#greeting) toService(line);
    for (const [id, line] of asked) {
      if (onlyReads(line)) toService(line);
      else this.#answer(id, LOST);
    }
    for (const line of this.#waiting.splice(0)) this.fromClient(line);
  }

  disconnect(): void {
    this.#toService = undefined;
  }

  fromClient(line: string): void {
    if (line.trim() === '') return;
    const message = tryParseJson(line);
    if (!isRecord(message)) {
      this.#toClient(refusal(message));
      return;
    }
    if (this.#toService === undefined) {
      this.#waiting.push(line);
      return;
    }
    const { id, method }: Message = message;
    if (method === 'initialize') this.#greetingId = id;
    if (method === 'initialize' || method === 'notifications/initialized')
      this.#greeting.push(line);
    if (method !== undefined && id !== undefined) this.#unanswered.set(id, line);
    this.#toService(line);
  }

  /** Passes a line to the client, unless it was cut off when the service ended, or answers a repeated greeting. */
  fromService(line: string): void {
    const message = tryParseJson(line);
    if (message === undefined) return;
    const { id, method } = asMessage(message);
    if (method === undefined) this.#unanswered.delete(id);
    if (this.#isGreeting && method === undefined && id === this.#greetingId) {
      this.#isGreeting = false;
      return;
    }
    this.#toClient(line);
  }

  /** Answers all waiting requests with an error. */
  fail(sentence: string): void {
    for (const line of this.#waiting.splice(0)) {
      const { id, method } = readMessage(line);
      if (id !== undefined && method !== undefined) this.#unanswered.set(id, line);
    }
    for (const id of [...this.#unanswered.keys()]) this.#answer(id, sentence);
  }

  #answer(id: unknown, message: string): void {
    this.#unanswered.delete(id);
    this.#toClient(
      JSON.stringify({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } }),
    );
  }
}

/** Error codes of JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

/** The answer to a line that is not a message. @param value the parsed line; undefined if it is not JSON */
function refusal(value: unknown): string {
  const error =
    value === undefined
      ? { code: PARSE_ERROR, message: 'The line is not JSON.' }
      : { code: INVALID_REQUEST, message: 'A message must be a single JSON object.' };
  return JSON.stringify({ jsonrpc: '2.0', id: null, error });
}

const LOST =
  'The local service ended before it answered; the call may or may not have taken effect. Check before you call again.';

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

function readMessage(line: string): Message {
  return asMessage(tryParseJson(line));
}

function asMessage(value: unknown): Message {
  return isRecord(value) ? value : {};
}

/** True unless the message calls a tool that writes. */
function onlyReads(line: string): boolean {
  const { method, params } = readMessage(line);
  if (method !== 'tools/call') return true;
  return isRecord(params) && READING.has(String(params['name']));
}

const READING: ReadonlySet<string> = new Set(['search', 'lessons', 'similar', 'get', 'status']);
