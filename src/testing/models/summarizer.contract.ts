import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModelCallError } from '../../domain/errors.js';
import type { Summarizer } from '../../ports/driven/summarizer.js';

/** A summarizer that works, and what makes it fail and work again. */
interface SummarizerSubject {
  readonly summarizer: Summarizer;
  breakDown(): void;
  recover(): void;
  close(): Promise<void>;
}

const NOTES =
  '## Storage\nUse WAL mode.\nIt was slow on Monday.\n\n## API\nAnswer in JSON.\nOr not.';

/** What every available {@link Summarizer} does. */
export function describeSummarizer(name: string, start: () => Promise<SummarizerSubject>): void {
  describe(`Summarizer: ${name}`, () => {
    let subject: SummarizerSubject;
    beforeEach(async () => {
      subject = await start();
    });
    afterEach(() => subject.close());

    it('is available and has a whole number as its character limit', () => {
      expect(subject.summarizer.isAvailable()).toBe(true);
      expect(subject.summarizer.maxCharacters).toBeGreaterThan(0);
      expect(Number.isInteger(subject.summarizer.maxCharacters)).toBe(true);
    });

    it('shortens a text and keeps its headings', async () => {
      const summary = await subject.summarizer.summarize(NOTES);
      expect(summary.length).toBeLessThan(NOTES.length);
      expect(summary).toContain('## Storage');
      expect(summary).toContain('## API');
    });

    it('accepts a text of exactly its limit', async () => {
      const whole = '## Storage\n'.padEnd(subject.summarizer.maxCharacters, 'a');
      expect(await subject.summarizer.summarize(whole)).toContain('## Storage');
    });

    it('refuses a longer text instead of cutting it', async () => {
      const tooLong = '## Storage\n'.padEnd(subject.summarizer.maxCharacters + 1, 'a');
      await expect(subject.summarizer.summarize(tooLong)).rejects.toBeInstanceOf(ModelCallError);
    });

    it('throws a ModelCallError while the model fails, and works again afterwards', async () => {
      subject.breakDown();
      await expect(subject.summarizer.summarize(NOTES)).rejects.toBeInstanceOf(ModelCallError);
      subject.recover();
      expect(await subject.summarizer.summarize(NOTES)).toContain('## Storage');
    });
  });
}
