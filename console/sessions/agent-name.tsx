import { SESSION_AGENT_LABELS, SESSION_AGENTS } from '../../src/domain/sessions/transcript.js';

/** The agent of a session, under the name that people know. */
export function AgentName({ agent }: { readonly agent: string | undefined }) {
  if (agent === undefined) return <span>agent unknown</span>;
  const known = SESSION_AGENTS.find((name) => name === agent);
  return <bdi>{known === undefined ? agent : SESSION_AGENT_LABELS[known]}</bdi>;
}
