import { join } from 'node:path';
import { isRecord } from '../../domain/records.js';
import { AGENTS, type Agent } from '../../domain/sessions/transcript.js';
import type { SessionConsents } from '../../ports/session-records.js';
import { changePrivateJson, readPrivateJson } from './private-json-file.js';

/** `sessions.json` in the data folder: the agents of each project, by its real path. */
export class JsonSessionConsents implements SessionConsents {
  readonly #file: string;

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'sessions.json');
  }

  async list(projectPath: string): Promise<readonly Agent[]> {
    return agentsIn(await readPrivateJson(this.#file), projectPath);
  }

  grant(projectPath: string, agent: Agent): Promise<void> {
    return this.#change(projectPath, (agents) => [...new Set([...agents, agent])]);
  }

  withdraw(projectPath: string, agent: Agent): Promise<void> {
    return this.#change(projectPath, (agents) => agents.filter((other) => other !== agent));
  }

  #change(
    projectPath: string,
    change: (agents: readonly Agent[]) => readonly Agent[],
  ): Promise<void> {
    return changePrivateJson(this.#file, (value) => {
      const { [projectPath]: _, ...others } = isRecord(value) ? value : {};
      const agents = change(agentsIn(value, projectPath));
      return { ...others, ...(agents.length > 0 && { [projectPath]: agents }) };
    });
  }
}

function agentsIn(value: unknown, projectPath: string): readonly Agent[] {
  const agents = isRecord(value) ? value[projectPath] : undefined;
  return Array.isArray(agents) ? AGENTS.filter((agent) => agents.includes(agent)) : [];
}
