import { ModelCallError } from '../../domain/errors.js';
import type { Summarizer } from '../../ports/driven/summarizer.js';
import type { ChatClient } from './chat-client.js';
import { dataPrompt } from './data-prompt.js';

export const SUMMARY_TIMEOUT_MS = 120_000;
/** About 10,000 tokens of English. A context window of 32,000 tokens fits it in other scripts too, with the answer. */
export const SUMMARY_TEXT_MAX_CHARACTERS = 40_000;

/** Summarizes with a chat completion. A text over `maxCharacters` is refused without a call, never cut. */
export class OpenAISummarizer implements Summarizer {
  readonly maxCharacters = SUMMARY_TEXT_MAX_CHARACTERS;
  readonly #chat: ChatClient;
  readonly #timeoutMs: number;

  constructor(chat: ChatClient, timeoutMs = SUMMARY_TIMEOUT_MS) {
    this.#chat = chat;
    this.#timeoutMs = timeoutMs;
  }

  isAvailable(): boolean {
    return true;
  }

  async summarize(text: string): Promise<string> {
    if (this.maxCharacters < text.length) {
      throw new ModelCallError(
        'refused',
        `A text over ${this.maxCharacters} characters must be split into parts.`,
      );
    }
    const prompt = dataPrompt(INSTRUCTIONS, text);
    return this.#chat.complete({ prompt, answer: 'text', timeoutMs: this.#timeoutMs });
  }
}

const INSTRUCTIONS = `Shorten a markdown file of notes on a software project to at most half its length. Keep every heading that still has content, the key patterns, decisions and pitfalls, and the names of files, functions and settings, word for word. Merge what is said twice and drop what was true only once. Add nothing.
Answer with the shortened markdown and nothing else, without a code fence around it.`;
