/** Work that can be left alone at each `yield`, so that it need not be done in one go. */
export type Steps<T> = Generator<undefined, T>;

/** Does the work in one go. */
export function inOneGo<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
