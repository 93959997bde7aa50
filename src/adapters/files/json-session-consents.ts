import { join } from 'node:path';
import { isRecord } from '../../domain/records.js';
import { AGENTS, type Agent } from '../../domain/sessions/transcript.js';
import type { SessionConsents } from '../../ports/session-records.js';
import { readPrivateJson, writePrivateJson } from './private-json-file.js';

/** `sessions.json` in the data folder: the agents of each project, by its real path. */
export class JsonSessionConsents implements SessionConsents {
  readonly #file: string;

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'sessions.json');
  }

  async list(projectPath: string): Promise<readonly Agent[]> {
    const agents = (await this.#read())[projectPath];
    return Array.isArray(agents) ? AGENTS.filter((agent) => agents.includes(agent)) : [];
  }

  async grant(projectPath: string, agent: Agent): Promise<void> {
    const agents = await this.list(projectPath);
    if (!agents.includes(agent)) await this.#write(projectPath, [...agents, agent]);
  }

  async withdraw(projectPath: string, agent: Agent): Promise<void> {
    const agents = await this.list(projectPath);
    if (!agents.includes(agent)) return;
    await this.#write(
      projectPath,
      agents.filter((other) => other !== agent),
    );
  }

  async #write(projectPath: string, agents: readonly Agent[]): Promise<void> {
    const { [projectPath]: _, ...others } = await this.#read();
    await writePrivateJson(this.#file, {
      ...others,
      ...(agents.length > 0 && { [projectPath]: agents }),
    });
  }

  async #read(): Promise<Readonly<Record<string, unknown>>> {
    const value = await readPrivateJson(this.#file);
    return isRecord(value) ? value : {};
  }
}
