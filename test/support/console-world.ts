import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser, WatchedTab } from './console-browser.js';
import { hasRealProject, REAL_PROJECT } from './real-project.js';
import {
  asShipped,
  directoryOfRealModel,
  type Environment,
  eventually,
  type RunningService,
  startService,
} from './running-service.js';
import { tempDirectory } from './temp-project.js';

export const hasRealService = hasRealProject && directoryOfRealModel() !== undefined;

/** The service as it is shipped, with the real model and a copy of the real project, and a browser. */
export class ConsoleWorld {
  readonly service: RunningService;
  readonly browser: Browser;
  /** A copy of the real project, with its vectors. */
  readonly project: string;

  private constructor(service: RunningService, browser: Browser, project: string) {
    this.service = service;
    this.browser = browser;
    this.project = project;
  }

  static async start(environment: Environment = {}): Promise<ConsoleWorld> {
    asShipped();
    const project = join(tempDirectory('knowledge-console-'), 'aiom');
    cpSync(REAL_PROJECT.path, project, { recursive: true });
    const service = await startService({
      DATA_DIR: directoryOfRealModel() ?? '',
      ...environment,
    });
    return new ConsoleWorld(service, await launchBrowser(), project);
  }

  /** Indexes the project and waits for the first of its vectors; all of them would take a minute. */
  async fill(vectors: number): Promise<void> {
    await this.post('/api/knowledge/rebuild', { projectPath: this.project });
    await eventually(
      async () => {
        const query = new URLSearchParams({ projectPath: this.project });
        const response = await fetch(`${this.service.url}/api/knowledge/x/status?${query}`);
        const { embeddings } = (await response.json()) as { embeddings: { complete: number } };
        return embeddings.complete >= vectors;
      },
      { withinMs: 240_000, everyMs: 500 },
    );
  }

  /** Writes a file of the project. */
  write(path: string, text: string): void {
    const file = join(this.project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  async post(path: string, body: object): Promise<void> {
    const response = await fetch(this.service.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  /** A tab that shows a page of the console. */
  async visit(page: string, fields: Readonly<Record<string, string>> = {}, options = {}) {
    const tab = await WatchedTab.open(this.browser, this.service.url, options);
    const query = new URLSearchParams({ project: this.project, ...fields });
    await tab.page.goto(`${this.service.url}/#/${page}?${query}`);
    return tab;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.stop();
  }
}
