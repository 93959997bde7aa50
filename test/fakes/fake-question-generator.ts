import type { ModelCallError } from '../../src/domain/errors.js';
import type { QuestionGenerator } from '../../src/ports/language-model.js';

/**
 * Asks "What about <word>?" for the first three words of a text, in turn again where there are fewer:
 * `WAL mode` gives What about WAL? What about mode? What about WAL?
 */
export class FakeQuestionGenerator implements QuestionGenerator {
  available = true;
  /** While set, every call fails with it. */
  failure: ModelCallError | undefined;
  /** The texts of all calls, failed ones too, oldest first. */
  readonly calls: string[] = [];

  isAvailable(): boolean {
    return this.available;
  }

  async generateQuestions(text: string): Promise<readonly string[]> {
    this.calls.push(text);
    if (this.failure !== undefined) throw this.failure;
    const words = text.match(/[\p{L}\p{N}]{1,100}/gu) ?? ['nothing'];
    return [0, 1, 2].map((index) => `What about ${words[index % words.length]}?`);
  }
}
