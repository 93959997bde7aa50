/** Asks a small language model which questions a text answers (specification, "HyPE"). */
export interface QuestionGenerator {
  /** False where no model is configured: background work then waits and calls nothing. */
  isAvailable(): boolean;
  /**
   * Exactly three short questions.
   * @throws ModelCallError when the endpoint fails or answers anything else
   */
  generateQuestions(text: string): Promise<readonly string[]>;
}
