import { exchangeHeading, type SessionDescription } from '../../domain/sessions/session-file.js';
import {
  type Exchange,
  groupExchanges,
  type Message,
  type Transcript,
} from '../../domain/sessions/transcript.js';
import type { SessionLedger } from '../../ports/session-records.js';

/** An exchange missing from the session files, or further answers to the last exchange in them. */
export interface Unwritten {
  readonly kind: 'new' | 'continuation';
  readonly exchange: Exchange;
  /** The time of the prompt. */
  readonly at: string;
  /** The time of the last answer. */
  readonly endedAt: string;
}

/**
 * Finds the exchanges of a transcript that are not in a session file. Each message counts once, even if several
 * transcripts contain it.
 */
export function findUnwritten(transcript: Transcript, ledger: SessionLedger): readonly Unwritten[] {
  const written = new Set(ledger.messages);
  const present = new Set<string>();
  const once = transcript.messages.filter((message) => {
    const isRepeated = message.keys.some((key) => present.has(key));
    for (const key of message.keys) present.add(key);
    return !isRepeated;
  });
  const isWritten = (message: Message) => message.keys.some((key) => written.has(key));
  const last = ledger.sessions[transcript.session]?.last;
  return groupExchanges(once).flatMap((exchange) => {
    const answers = exchange.answers.filter((message) => !isWritten(message));
    if (answers.length === 0) return [];
    const at = exchange.prompts[0]?.at ?? '';
    const isKnown = exchange.prompts.every(isWritten);
    const kind = isKnown && at === last ? 'continuation' : 'new';
    if (isKnown && kind === 'new') return [];
    const endedAt = answers.at(-1)?.at ?? at;
    return [{ kind, exchange: { ...exchange, answers }, at, endedAt } as const];
  });
}

/** Adds the messages of these exchanges to the ledger. */
export function addWritten(ledger: SessionLedger, written: readonly Unwritten[]): SessionLedger {
  const keys = written.flatMap(({ exchange: { prompts, answers } }) =>
    [...prompts, ...answers].flatMap((message) => message.keys),
  );
  return { ...ledger, messages: [...new Set([...ledger.messages, ...keys])] };
}

/** The frontmatter of a session file that begins with this exchange. */
export function describeSession(
  { agent, session, branch }: Transcript,
  first: Unwritten | undefined,
): SessionDescription {
  const { at = '', endedAt = '', exchange } = first ?? {};
  const title = exchangeHeading(exchange?.prompts ?? []);
  return { agent, session, branch, started: at, ended: endedAt, title };
}
