/** Tells who keeps something for a project that nobody has used for a while. */
export class IdleProjects {
  #listener: (projectPath: string) => Promise<void> = async () => {};

  /** `listener` gives up what is kept for a project until it is used again; there is one listener. */
  listen(listener: (projectPath: string) => Promise<void>): void {
    this.#listener = listener;
  }

  /** Resolves when everything is given up. */
  report(projectPath: string): Promise<void> {
    return this.#listener(projectPath);
  }
}
