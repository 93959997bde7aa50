/** Agents whose transcripts the service reads. */
export const SESSION_AGENTS = ['claude', 'codex'] as const;

export type SessionAgent = (typeof SESSION_AGENTS)[number];

/** Their names for people. */
export const SESSION_AGENT_LABELS: Readonly<Record<SessionAgent, string>> = {
  claude: 'Claude Code',
  codex: 'Codex',
};

/** One thing that a person or an agent said. */
export interface Message {
  readonly role: 'user' | 'assistant';
  /** Not blank. */
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
  /** Hashes of its id, if it has one, and of its time and text. Messages that share a key are the same. */
  readonly keys: readonly string[];
}

/** The conversation of one session, in recorded order, without tool calls and injected context. */
export interface Transcript {
  readonly agent: SessionAgent;
  readonly session: string;
  readonly branch?: string;
  readonly messages: readonly Message[];
  /** How many lines and bytes could not be parsed. */
  readonly notUnderstood: { readonly lines: number; readonly bytes: number };
}

/** A prompt and all answers of the agent to it. */
export interface Exchange {
  readonly prompts: readonly Message[];
  /** Not empty. */
  readonly answers: readonly Message[];
}

/** The exchanges of a conversation. Prompts without an answer, and answers without a prompt, are left out. */
export function groupExchanges(messages: readonly Message[]): readonly Exchange[] {
  const exchanges: { prompts: Message[]; answers: Message[] }[] = [];
  for (const message of messages) {
    const last = exchanges.at(-1);
    if (message.role === 'assistant') last?.answers.push(message);
    else if (last !== undefined && last.answers.length === 0) last.prompts.push(message);
    else exchanges.push({ prompts: [message], answers: [] });
  }
  return exchanges.filter(({ answers }) => answers.length > 0);
}
