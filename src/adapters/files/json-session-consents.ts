import { join } from 'node:path';
import { isRecord } from '../../domain/records.js';
import { SESSION_AGENTS, type SessionAgent } from '../../domain/sessions/transcript.js';
import type { SessionConsents } from '../../ports/session-records.js';
import { changePrivateJson, readPrivateJson } from './private-json-file.js';

/** Keeps consents in `sessions.json` in the data folder: the agents of each project, by its real path. */
export class JsonSessionConsents implements SessionConsents {
  readonly #file: string;

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'sessions.json');
  }

  async list(projectPath: string): Promise<readonly SessionAgent[]> {
    return agentsIn(await readPrivateJson(this.#file), projectPath);
  }

  grant(projectPath: string, agent: SessionAgent): Promise<void> {
    return this.#change(projectPath, (agents) => [...new Set([...agents, agent])]);
  }

  withdraw(projectPath: string, agent: SessionAgent): Promise<void> {
    return this.#change(projectPath, (agents) => agents.filter((other) => other !== agent));
  }

  #change(
    projectPath: string,
    change: (agents: readonly SessionAgent[]) => readonly SessionAgent[],
  ): Promise<void> {
    return changePrivateJson(this.#file, (value) => {
      const { [projectPath]: _, ...others } = isRecord(value) ? value : {};
      const agents = change(agentsIn(value, projectPath));
      return { ...others, ...(agents.length > 0 && { [projectPath]: agents }) };
    });
  }
}

function agentsIn(value: unknown, projectPath: string): readonly SessionAgent[] {
  const agents = isRecord(value) ? value[projectPath] : undefined;
  return Array.isArray(agents) ? SESSION_AGENTS.filter((agent) => agents.includes(agent)) : [];
}
