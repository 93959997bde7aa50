import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What is compared: a built checkout, and how it is started. */
export interface Contender {
  readonly name: string;
  readonly checkout: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A service in a process of its own. */
export class ComparedService {
  readonly name: string;
  readonly #project: string;
  readonly #child: ChildProcess;
  readonly #url: Promise<string>;
  readonly #agent = new Agent({ keepAlive: true });

  constructor({ name, checkout, environment }: Contender, project: string) {
    this.name = name;
    this.#project = project;
    this.#child = spawn(process.execPath, [join(checkout, 'dist/main.js')], {
      env: { PATH: process.env['PATH'], HOME: homedir(), ...ENVIRONMENT, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#url = urlOf(this.#child);
  }

  async index(): Promise<void> {
    await this.#post('/api/knowledge/rebuild', {});
  }

  /** The mode of the search; the search-only variant does not tell it, and has one only. */
  async search(query: string): Promise<string> {
    const { retrieval_mode: mode } = JSON.parse(
      await this.#post('/api/knowledge/search', { query }),
    );
    return mode ?? 'bm25';
  }

  /** CPU time of the process with all its threads, in milliseconds, to 10 ms; Linux only. See proc(5). */
  cpuMs(): number {
    const fields =
      readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    this.#child.kill();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }

  async #post(path: string, fields: object): Promise<string> {
    const url = await this.#url;
    const headers = { 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const call = request(`${url}${path}`, { method: 'POST', agent: this.#agent, headers });
      call.on('error', reject);
      call.on('response', async (response) => {
        const text = (await response.setEncoding('utf8').toArray()).join('');
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${this.name}: ${response.statusCode} ${text}`));
      });
      call.end(JSON.stringify({ projectPath: this.#project, ...fields }));
    });
  }
}

export const APP_DIR = '.automaker';

const ENVIRONMENT = {
  PORT: '0',
  KNOWLEDGE_APP_DIR: APP_DIR,
  KNOWLEDGE_OFFLINE: '1',
  KNOWLEDGE_LOG_LEVEL: 'error',
};

const MS_PER_TICK = 10;

async function urlOf({ stdout }: ChildProcess): Promise<string> {
  for await (const part of stdout?.setEncoding('utf8') ?? []) {
    const [, url] = /listening on (\S+)/.exec(part) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The service did not start.');
}
