import type { Terminal } from '../terminal.js';
import { grouped, lasting } from './format.js';

/** How far a long piece of work has come. */
export interface Amount {
  readonly done: number;
  readonly total: number;
}

export interface ProgressOptions {
  /** How an amount is shown; default: as a number. */
  readonly unit?: (value: number) => string;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** One line on standard error that is written again as work goes on; nothing where that is no terminal. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #label: string;
  readonly #unit: (value: number) => string;
  readonly #now: () => number;
  #shownAt = Number.NEGATIVE_INFINITY;
  #first: { readonly done: number; readonly at: number } | undefined;

  constructor(terminal: Terminal, label: string, options: ProgressOptions = {}) {
    this.#terminal = terminal;
    this.#label = label;
    this.#unit = options.unit ?? grouped;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Shows that work has begun, before its amount is known. */
  begin(): void {
    this.#write(`${this.#label} …`);
  }

  show({ done, total }: Amount): void {
    if (done < total && this.#now() - this.#shownAt < SHOW_EVERY_MS) return;
    this.#shownAt = this.#now();
    this.#first ??= { done, at: this.#now() };
    const seconds = (this.#now() - this.#first.at) / 1000;
    const rate = seconds === 0 ? 0 : (done - this.#first.done) / seconds;
    const share = `${this.#unit(done)}/${this.#unit(total)}`;
    const pace =
      rate > 0 ? ` · ${this.#rateText(rate)}/s · ${lasting((total - done) / rate)} left` : '';
    this.#write(`${this.#label} ${bar(done / total)} ${share}${pace}`);
  }

  /** Removes the line. */
  end(): void {
    if (this.#terminal.showsProgress) this.#terminal.err('\r\u001b[2K');
  }

  #rateText(rate: number): string {
    return this.#unit === grouped ? rate.toFixed(1) : this.#unit(Math.round(rate));
  }

  #write(text: string): void {
    if (!this.#terminal.showsProgress) return;
    this.#terminal.err(`\r\u001b[2K${text.slice(0, this.#terminal.columns - 1)}`);
  }
}

/** A file may take less than a millisecond. */
const SHOW_EVERY_MS = 100;
const BAR_WIDTH = 20;

function bar(share: number): string {
  const full = Math.round(BAR_WIDTH * Math.min(1, Math.max(0, share)));
  return '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
}
