interface Finding {
  readonly code: string;
}

/** The result of an examination in one sentence. The settings of a project do not belong to its store. */
export function storeVerdict(isSound: boolean, findings: readonly Finding[]): string {
  if (!isSound) return 'The store has problems.';
  return hasWrongSettings(findings)
    ? 'The store is sound, but settings.json has errors.'
    : 'The store is sound.';
}

export function hasWrongSettings(findings: readonly Finding[]): boolean {
  return findings.some(({ code }) => code === 'settings');
}
