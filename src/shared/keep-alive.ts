/** Keeps the process alive until the work settles. Background timers do not, so Node could end a process in the middle of a call. */
export async function keepAlive<Result>(work: Promise<Result>): Promise<Result> {
  const timer = setInterval(() => undefined, LONGEST_INTERVAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

const LONGEST_INTERVAL_MS = 2 ** 30;
