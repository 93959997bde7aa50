/** Ends the process with one sentence if Node is too old to load the rest; an agent's hook ends silently. */
export function refuseOldNode(): void {
  const refusal = oldNodeRefusal(process.versions.node);
  if (refusal === undefined) return;
  const isHook = process.argv[2]?.startsWith('session-') === true;
  if (!isHook) process.stderr.write(`knowledge-store: ${refusal}\n`);
  process.exit(isHook ? 0 : 1);
}

/** Why this version of Node is too old; undefined if it is new enough. */
export function oldNodeRefusal(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= OLDEST) return undefined;
  return `Node ${OLDEST} or newer is needed; this is Node ${version}.`;
}

const OLDEST = 20;
