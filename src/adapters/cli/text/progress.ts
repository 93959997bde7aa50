import type { Terminal } from '../terminal.js';
import { grouped, lasting } from './numbers.js';

/** How far a long piece of work has come. */
export interface Amount {
  readonly done: number;
  readonly total: number;
}

/** One line on standard error that is written again as work goes on; nothing where that is no terminal. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #label: string;
  readonly #now: () => number;
  readonly #startedAt: number;
  #first: number | undefined;

  constructor(terminal: Terminal, label: string, now = () => performance.now()) {
    this.#terminal = terminal;
    this.#label = label;
    this.#now = now;
    this.#startedAt = now();
  }

  /** Shows that work has begun, before its amount is known. */
  begin(): void {
    this.#write(`${this.#label} …`);
  }

  show({ done, total }: Amount): void {
    this.#first ??= done;
    const seconds = (this.#now() - this.#startedAt) / 1000;
    const rate = (done - this.#first) / seconds;
    const share = `${grouped(done)}/${grouped(total)}`;
    const pace = rate > 0 ? ` · ${rate.toFixed(1)}/s · ${lasting((total - done) / rate)} left` : '';
    this.#write(`${this.#label} ${bar(done / total)} ${share}${pace}`);
  }

  /** Removes the line. */
  end(): void {
    if (this.#terminal.showsProgress) this.#terminal.err('\r\u001b[2K');
  }

  #write(text: string): void {
    if (!this.#terminal.showsProgress) return;
    this.#terminal.err(`\r\u001b[2K${text.slice(0, this.#terminal.columns - 1)}`);
  }
}

const BAR_WIDTH = 20;

function bar(share: number): string {
  const full = Math.round(BAR_WIDTH * Math.min(1, Math.max(0, share)));
  return '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
}
