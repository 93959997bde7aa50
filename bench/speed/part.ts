/** What is measured, and how much of it. */
export interface PartOptions {
  /** An archive of markdown files, `.tar.gz`. */
  readonly archive: string;
  readonly chunks: number;
  /** Per class. */
  readonly queries: number;
  /** Where projects are kept for the next run. */
  readonly cache: string;
  /** Directory that contains the embedding model in `models/`; parts that need it are skipped without. */
  readonly dataDir: string | undefined;
  /** Words that choose among what a part measures, such as the peers; all if there are none. */
  readonly only: readonly string[];
}

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A part of the benchmark that can be run by itself. */
export type Part = (options: PartOptions) => Promise<readonly Table[]>;
