/** What to measure, and how much of it. */
export interface PartOptions {
  /** Path of a `.tar.gz` archive of markdown files. */
  readonly archive: string;
  readonly chunks: number;
  /** Number of queries per class. */
  readonly queries: number;
  /** Folder that keeps projects for the next run. */
  readonly cache: string;
  /** Directory with the embedding model in `models/`. Without it, parts that need the model are skipped. */
  readonly dataDir: string | undefined;
  /** Restricts what a part measures, such as to some peers; if empty, measures everything. */
  readonly only: readonly string[];
}

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A part of the benchmark that can run by itself. */
export type Part = (options: PartOptions) => Promise<readonly Table[]>;
