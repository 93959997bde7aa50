/** The streams of a command and what they can show. */
export interface Terminal {
  /** Writes to standard output: the result of the command and nothing else. */
  out(text: string): void;
  /** Writes to standard error: progress, notes and errors. */
  err(text: string): void;
  /** Width of standard output in columns. */
  readonly columns: number;
  /** Whether each stream shows colors. */
  readonly colors: { readonly out: boolean; readonly err: boolean };
  /** Whether standard error is a terminal, where a line can be written again and again. */
  readonly showsProgress: boolean;
  /** Whether there is a person who can answer. */
  readonly isInteractive: boolean;
  /** Asks for yes or no; only where `isInteractive`. */
  confirm(question: string): Promise<boolean>;
  /** The whole of standard input. */
  readInput(): Promise<string>;
}
