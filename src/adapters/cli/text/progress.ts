import { formatInteger } from '../../../domain/figures.js';
import type { Terminal } from '../terminal.js';
import { lasting } from './format.js';

/** The progress of a long piece of work. */
export interface Amount {
  readonly done: number;
  readonly total: number;
}

export interface ProgressOptions {
  /** Formats an amount; default: as a number. */
  readonly unit?: (value: number) => string;
  /** Clock in milliseconds, for measuring the rate. */
  readonly now?: () => number;
}

/** A line on standard error that is rewritten while work goes on. Shows nothing if standard error is not a terminal. */
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
    this.#unit = options.unit ?? formatInteger;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Shows the line during work, then removes it. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#write(`${this.#label} …`);
    try {
      return await work();
    } finally {
      this.#write('');
    }
  }

  show({ done, total }: Amount): void {
    const now = this.#now();
    if (done < total && now - this.#shownAt < SHOW_EVERY_MS) return;
    this.#shownAt = now;
    this.#first ??= { done, at: now };
    const rate = (1000 * (done - this.#first.done)) / (now - this.#first.at);
    const pace = rate > 0 && Number.isFinite(rate) ? this.#formatPace(rate, total - done) : '';
    const share = `${this.#unit(done)}/${this.#unit(total)}`;
    this.#write(`${this.#label} ${bar(done / total)} ${share}${pace}`);
  }

  #formatPace(rate: number, left: number): string {
    const shown = this.#unit === formatInteger ? rate.toFixed(1) : this.#unit(Math.round(rate));
    return ` · ${shown}/s · ${lasting(left / rate)} left`;
  }

  #write(text: string): void {
    if (!this.#terminal.showsProgress) return;
    this.#terminal.err(`\r\u001b[2K${text.slice(0, this.#terminal.columns - 1)}`);
  }
}

/** Limits redrawing, because a single file may take less than a millisecond. */
const SHOW_EVERY_MS = 100;
const BAR_WIDTH = 20;

export function bar(share: number, width = BAR_WIDTH): string {
  const full = Math.round(width * Math.min(1, Math.max(0, share)));
  return '█'.repeat(full) + '░'.repeat(width - full);
}
