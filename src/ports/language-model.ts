import type { Lesson } from '../domain/lessons/lesson-text.js';

/** Asks a small language model which questions a text answers (docs/specification.md, "HyPE"). */
export interface QuestionGenerator {
  /** False if no model is configured; background work then generates no questions. Absent: true. */
  isAvailable?(): boolean;
  /**
   * Exactly three short questions.
   * @throws ModelCallError if the endpoint fails or returns anything else
   */
  generateQuestions(text: string): Promise<readonly string[]>;
}

/**
 * Shortens a memory category with a small language model (docs/specification.md, "Memory categories and
 * compaction").
 */
export interface Summarizer {
  /** False if no model is configured. Absent: true. */
  isAvailable?(): boolean;
  /** Maximum length of a text for one call; the caller splits a longer text. Absent: 40,000. */
  readonly maxCharacters?: number;
  /**
   * A shorter version of the text, in markdown, that keeps headings and key patterns.
   * @throws ModelCallError if the endpoint fails, returns nothing, or stops before the end
   */
  summarize(text: string): Promise<string>;
}

/** A finished feature: its description, reflection and output. */
export interface FeatureReport {
  readonly title: string;
  readonly description: string;
  readonly agentOutput: string;
  readonly reflection: string;
}

/** Asks a small language model to rephrase a question. */
export interface QueryRewriter {
  /** False if no model is configured; searches then stay as they are. Absent: true. */
  isAvailable?(): boolean;
  /**
   * One line of words that a document with the answer would use: technical terms, synonyms, names.
   * @throws ModelCallError if the endpoint fails or returns nothing
   */
  rewriteQuery(query: string): Promise<string>;
}

/** Asks a small language model for the lessons of a feature. */
export interface LessonExtractor {
  /** False if no model is configured. Absent: true. */
  isAvailable?(): boolean;
  /**
   * The lessons, with categories as the model wrote them; may be empty.
   * @throws ModelCallError if the endpoint fails or returns anything but lessons
   */
  extractLessons(report: FeatureReport): Promise<readonly Lesson[]>;
}
