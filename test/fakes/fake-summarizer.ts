import { ModelCallError } from '../../src/domain/errors.js';
import type { Summarizer } from '../../src/ports/language-model.js';

/** Keeps headings and the first line under each; a text of other lines only is kept to its first. */
export class FakeSummarizer implements Summarizer {
  available = true;
  maxCharacters = 1000;
  /** While set, every call fails with it. */
  failure: ModelCallError | undefined;
  /** What a call returns instead, if set. */
  answer: ((text: string) => string) | undefined;
  /** The texts of all calls, failed ones too, oldest first. */
  readonly calls: string[] = [];

  isAvailable(): boolean {
    return this.available;
  }

  async summarize(text: string): Promise<string> {
    this.calls.push(text);
    if (this.failure !== undefined) throw this.failure;
    if (this.maxCharacters < text.length)
      throw new ModelCallError('refused', 'The text is too long.');
    return this.answer === undefined ? firstLines(text) : this.answer(text);
  }
}

function firstLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isHeading = (line: string | undefined) => line === undefined || line.startsWith('#');
  return lines.filter((line, index) => isHeading(line) || isHeading(lines[index - 1])).join('\n');
}
