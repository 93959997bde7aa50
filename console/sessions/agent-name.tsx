import { SESSION_AGENT_LABELS, SESSION_AGENTS } from '../../src/domain/sessions/transcript.js';

/** The display name of a session's agent. */
export function AgentName({ agent }: { readonly agent: string | undefined }) {
  if (agent === undefined) return <span>agent unknown</span>;
  const known = SESSION_AGENTS.find((name) => name === agent);
  return <bdi>{known === undefined ? agent : SESSION_AGENT_LABELS[known]}</bdi>;
}
