/** The agent of a session, under the name that people know. */
export function AgentName({ agent }: { readonly agent: string | undefined }) {
  if (agent === undefined) return <span>agent unknown</span>;
  return <bdi>{NAMES[agent] ?? agent}</bdi>;
}

const NAMES: Readonly<Record<string, string>> = { claude: 'Claude Code', codex: 'Codex' };
