/** Asks a small language model which questions a text answers (docs/specification.md, "HyPE"). */
export interface QuestionGenerator {
  /** False if no model is configured; background work then generates no questions. */
  isAvailable(): boolean;
  /**
   * Exactly three short questions.
   * @throws ModelCallError when the endpoint fails or returns anything else
   */
  generateQuestions(text: string): Promise<readonly string[]>;
}
