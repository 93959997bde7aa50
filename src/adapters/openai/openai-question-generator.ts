import { headOf } from '../../domain/chunks/text.js';
import { HYPE_QUESTIONS } from '../../domain/limits.js';
import type { QuestionGenerator } from '../../ports/driven/question-generator.js';
import { readJsonObject, unusable } from './answers.js';
import type { ChatClient } from './chat-client.js';
import { dataPrompt, oneLine } from './data-prompt.js';

export const QUESTION_TIMEOUT_MS = 30_000;
/** A chunk has at most 8,000; further characters are not sent. */
export const QUESTION_TEXT_MAX_CHARACTERS = 12_000;
export const QUESTION_MAX_CHARACTERS = 200;

/** Generates questions with a chat completion; each is one line of at most {@link QUESTION_MAX_CHARACTERS}. */
export class OpenAIQuestionGenerator implements QuestionGenerator {
  readonly #chat: ChatClient;
  readonly #timeoutMs: number;

  constructor(chat: ChatClient, timeoutMs = QUESTION_TIMEOUT_MS) {
    this.#chat = chat;
    this.#timeoutMs = timeoutMs;
  }

  isAvailable(): boolean {
    return true;
  }

  async generateQuestions(text: string): Promise<readonly string[]> {
    const answer = await this.#chat.complete({
      prompt: dataPrompt(INSTRUCTIONS, headOf(text, QUESTION_TEXT_MAX_CHARACTERS)),
      answer: 'json_object',
      timeoutMs: this.#timeoutMs,
    });
    return questionsIn(readJsonObject(answer)['questions']);
  }
}

const INSTRUCTIONS = `Read a text from a software project's notes and write exactly ${HYPE_QUESTIONS} short questions that it answers, as a developer who does not know the text would ask them. Write them in the language of the text. Each is one line of at most ${QUESTION_MAX_CHARACTERS} characters.
Answer with one JSON object and nothing else: {"questions": ["…", "…", "…"]}`;

function questionsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length !== HYPE_QUESTIONS) {
    throw unusable(`The answer does not contain exactly ${HYPE_QUESTIONS} questions.`);
  }
  return value.map(questionIn);
}

function questionIn(value: unknown): string {
  const question = typeof value === 'string' ? oneLine(value) : '';
  if (question !== '' && question.length <= QUESTION_MAX_CHARACTERS) return question;
  throw unusable(`A question is not a string of 1 to ${QUESTION_MAX_CHARACTERS} characters.`);
}
