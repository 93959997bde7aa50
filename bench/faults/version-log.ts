/** Which rising versions of each source were tried, and the newest one that was confirmed. */
export class VersionLog {
  readonly confirmed = new Map<string, number>();
  readonly #tried = new Map<string, number[]>();
  count = 0;

  try(source: string, version: number): void {
    const versions = this.#tried.get(source) ?? [];
    this.#tried.set(source, [...versions, version]);
  }

  confirm(source: string, version: number): void {
    this.confirmed.set(source, version);
    this.count += 1;
  }

  /** Whether a store may have this version: the confirmed one, or any later one whose answer was lost with the server. */
  allows(source: string, version: number): boolean {
    if (version < (this.confirmed.get(source) ?? 0)) return false;
    return this.#tried.get(source)?.includes(version) ?? false;
  }
}
