import { headOf, tailOf } from '../../domain/chunks/text.js';
import type { Lesson } from '../../domain/lessons/lesson.js';
import { isRecord } from '../../domain/records.js';
import type { FeatureReport, LessonExtractor } from '../../ports/driven/lesson-extractor.js';
import { readJsonObject, unusable } from './answers.js';
import type { ChatClient } from './chat-client.js';
import { dataPrompt, oneLine, visibleText } from './data-prompt.js';

export const LESSON_TIMEOUT_MS = 30_000;
/** How much of each part of a report is sent; of the agent output the end, which has the outcome. */
export const REPORT_MAX_CHARACTERS = {
  title: 500,
  description: 4000,
  agentOutput: 16_000,
  reflection: 8000,
} as const;
/** Further lessons in an answer are ignored. */
export const LESSONS_MAX = 20;
/** Longer fields in an answer are cut to these lengths. */
export const LESSON_MAX_CHARACTERS = { category: 100, title: 200, content: 4000 } as const;

/** Extracts lessons with a chat completion. Categories and titles are one line, and every field is cut to its limit. */
export class OpenAILessonExtractor implements LessonExtractor {
  readonly #chat: ChatClient;
  readonly #timeoutMs: number;

  constructor(chat: ChatClient, timeoutMs = LESSON_TIMEOUT_MS) {
    this.#chat = chat;
    this.#timeoutMs = timeoutMs;
  }

  isAvailable(): boolean {
    return true;
  }

  async extractLessons(report: FeatureReport): Promise<readonly Lesson[]> {
    const answer = await this.#chat.complete({
      prompt: dataPrompt(INSTRUCTIONS, reportText(report)),
      answer: 'json_object',
      timeoutMs: this.#timeoutMs,
    });
    return lessonsIn(readJsonObject(answer)['learnings']);
  }
}

const INSTRUCTIONS = `Read the report of a finished feature of a software project and write down what was learned that helps with other features: patterns that worked, pitfalls, decisions with their reasons. Leave out what is only of interest to this feature. At most ${LESSONS_MAX} learnings, an empty list if there are none.
"category" is one lower-case word such as architecture, gotchas, testing, api or performance; "title" is one line; "content" is one to four sentences.
Answer with one JSON object and nothing else: {"learnings": [{"category": "…", "title": "…", "content": "…"}]}`;

function reportText(report: FeatureReport): string {
  const { title, description, agentOutput, reflection } = REPORT_MAX_CHARACTERS;
  return [
    `Title: ${headOf(report.title, title)}`,
    `Description:\n${headOf(report.description, description)}`,
    `End of the agent's output:\n${tailOf(report.agentOutput, agentOutput)}`,
    `Reflection:\n${headOf(report.reflection, reflection)}`,
  ].join('\n\n');
}

function lessonsIn(value: unknown): readonly Lesson[] {
  if (!Array.isArray(value)) throw unusable('The answer does not contain a list of learnings.');
  return value.slice(0, LESSONS_MAX).map(lessonIn);
}

function lessonIn(value: unknown): Lesson {
  const entry = isRecord(value) ? value : {};
  const category = cut(oneLine(textIn(entry['category'])), LESSON_MAX_CHARACTERS.category);
  const title = cut(oneLine(textIn(entry['title'])), LESSON_MAX_CHARACTERS.title);
  const content = cut(linesOf(textIn(entry['content'])), LESSON_MAX_CHARACTERS.content);
  if (title === '' || content === '') throw unusable('A lesson has no title or no content.');
  return { category, title, content };
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  throw unusable('A field of a lesson is not a string.');
}

function linesOf(text: string): string {
  return visibleText(text.replace(/\r\n?/g, '\n')).trim();
}

function cut(text: string, maxCharacters: number): string {
  return headOf(text, maxCharacters).trimEnd();
}
