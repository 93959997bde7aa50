/** Held by the process that looks at the files of a project at intervals. */
export const WATCH_LEASE = { name: 'watch', durationMs: 30_000 };
