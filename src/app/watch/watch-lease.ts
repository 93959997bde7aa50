/** Held by the process that checks the files of a project at intervals. */
export const WATCH_LEASE = { name: 'watch', durationMs: 30_000 };
