import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser, type TabOptions, WatchedTab } from './console-browser.js';
import {
  asShipped,
  CHECKOUT,
  directoryOfRealModel,
  type Environment,
  eventually,
  type RunningService,
  startService,
} from './running-service.js';
import type { HttpAnswer } from './service-at-url.js';
import { tempDirectory } from './temp-project.js';

const REAL_PROJECT = join(CHECKOUT, '../shared/projects/aiom');

/** Without the real project and the real model next to the checkout, tests that need them are skipped. */
export const hasRealService = existsSync(REAL_PROJECT) && directoryOfRealModel() !== undefined;

/** A service, a project and a browser, for all tests of a file. */
export class ConsoleWorld {
  readonly service: RunningService;
  readonly browser: Browser;
  readonly project: string;
  readonly #token: string;

  private constructor(service: RunningService, browser: Browser, parts: ConsoleWorldParts) {
    this.service = service;
    this.browser = browser;
    this.project = parts.project;
    this.#token = parts.token;
  }

  static async start(project: string, environment: Environment): Promise<ConsoleWorld> {
    const [service, browser] = await Promise.all([startService(environment), launchBrowser()]);
    return new ConsoleWorld(service, browser, {
      project,
      token: environment['KNOWLEDGE_TOKEN'] ?? '',
    });
  }

  /** The service as it is shipped, with the real model and a copy of the real project. */
  static async startReal(): Promise<ConsoleWorld> {
    asShipped();
    const project = join(tempDirectory('knowledge-console-'), 'aiom');
    cpSync(REAL_PROJECT, project, { recursive: true });
    return ConsoleWorld.start(project, { DATA_DIR: directoryOfRealModel() ?? '' });
  }

  /** Waits for the first vectors; all of them would take a minute. */
  async embedded(vectors: number | 'all'): Promise<void> {
    const query = new URLSearchParams({ projectPath: this.project });
    await eventually(
      async () => {
        const { complete, pending } = (await this.get(`/api/knowledge/x/status?${query}`))
          .embeddings;
        return vectors === 'all' ? pending === 0 : complete >= vectors;
      },
      { withinMs: vectors === 'all' ? 900_000 : 240_000, everyMs: 500 },
    );
  }

  get(path: string) {
    return this.#send(path, {});
  }

  /** What a route answers for the project. */
  post(path: string, fields: object = {}) {
    const body = JSON.stringify({ projectPath: this.project, ...fields });
    return this.#send(path, { method: 'POST', body });
  }

  /** A change by an agent. */
  change(method: 'PATCH' | 'DELETE', path: string, fields: object = {}) {
    const given = { projectPath: this.project, ...fields };
    if (method === 'PATCH') return this.#send(path, { method, body: JSON.stringify(given) });
    return this.#send(`${path}?${new URLSearchParams(given)}`, { method });
  }

  async #send(path: string, init: RequestInit) {
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${this.#token}`,
    };
    const response = await fetch(this.service.url + path, { ...init, headers });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as HttpAnswer['body'];
  }

  /** A tab that shows a page of the console; it has the token, unless the options say another. */
  async visit(
    page: string,
    fields: Readonly<Record<string, string>> = {},
    options: TabOptions = {},
  ) {
    const { url } = this.service;
    const tab = await WatchedTab.open(this.browser, url, { token: this.#token, ...options });
    const query = new URLSearchParams({ project: this.project, ...fields });
    await tab.page.goto(`${url}/#/${page}?${query}`);
    return tab;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.stop();
  }
}

interface ConsoleWorldParts {
  readonly project: string;
  /** Empty if the service has none. */
  readonly token: string;
}
