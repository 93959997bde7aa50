/** The package has no types of its own; these are of what the benchmark uses. */
declare module 'wink-bm25-text-search' {
  interface Engine {
    defineConfig(config: { readonly fldWeights: Readonly<Record<string, number>> }): boolean;
    definePrepTasks(tasks: readonly ((text: string) => readonly string[])[]): number;
    addDoc(document: Readonly<Record<string, string>>, id: number): number;
    consolidate(): boolean;
    search(text: string, limit: number): readonly (readonly [id: string, score: number])[];
  }
  function wink(): Engine;
  export = wink;
}
