interface Finding {
  readonly code: string;
}

interface Examination {
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** The result of an examination in one sentence. The settings of a project do not belong to its store. */
export function storeVerdict({ ok, findings }: Examination): string {
  if (!ok) return 'The store has problems.';
  return wrongSettings(findings).length > 0
    ? 'The store is sound, but settings.json has errors.'
    : 'The store is sound.';
}

export function wrongSettings<One extends Finding>(findings: readonly One[]): readonly One[] {
  return findings.filter(({ code }) => code === 'settings');
}
