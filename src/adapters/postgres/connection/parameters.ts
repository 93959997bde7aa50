/** The values of a statement, collected while its text is put together. */
export class Parameters {
  readonly #values: unknown[] = [];

  /** Returns the placeholder of the value. */
  add(value: unknown): string {
    this.#values.push(value);
    return `$${this.#values.length}`;
  }

  get values(): readonly unknown[] {
    return this.#values;
  }
}
