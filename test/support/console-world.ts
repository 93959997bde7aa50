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

/**
 * Whether the real project and the real model are next to the checkout. If not, the tests that need them are skipped.
 */
export const hasRealService = existsSync(REAL_PROJECT) && directoryOfRealModel() !== undefined;

/** The service, project and browser for all tests of a file. */
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

  /** Starts the service as it is shipped, with the real model and a copy of the real project. */
  static async startReal(): Promise<ConsoleWorld> {
    asShipped();
    const project = join(tempDirectory('knowledge-console-'), 'aiom');
    cpSync(REAL_PROJECT, project, { recursive: true });
    return ConsoleWorld.start(project, { DATA_DIR: directoryOfRealModel() ?? '' });
  }

  /** Waits for this many vectors. Waiting for all of them takes a minute. */
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

  /** Posts to a route for the project, and returns the response. */
  post(path: string, fields: object = {}) {
    const body = JSON.stringify({ projectPath: this.project, ...fields });
    return this.#send(path, { method: 'POST', body });
  }

  /** Changes something, as an agent would. */
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

  /** Opens a tab with a page of the console. The tab has the token, unless the options contain another. */
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
  /** Empty if the service requires none. */
  readonly token: string;
}
