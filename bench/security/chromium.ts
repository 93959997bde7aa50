import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { tempDirectory } from '../../test/support/temp-project.js';
import { AttackSite } from './attack-site.js';

/** A headless Chromium with its own security left on. */
export class Chromium {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** The one that `CHROMIUM` names, or the one in the package `@sparticuz/chromium`. */
  static async find(): Promise<Chromium> {
    const named = process.env['CHROMIUM'];
    if (named) return new Chromium(named);
    const name: string = '@sparticuz/chromium';
    const found = (await import(name).catch(() => undefined)) as Package | undefined;
    if (found !== undefined) return new Chromium(await found.default.executablePath());
    throw new Error(`Set CHROMIUM to a browser, or run "npm install --no-save ${name}".`);
  }

  version(): string {
    return execFileSync(this.#path, ['--version'], { encoding: 'utf8' }).trim();
  }

  /** Without its sandbox, which needs a user that is not root; what pages may do does not depend on it. */
  open(url: string): { close(): Promise<void> } {
    const profile = tempDirectory('knowledge-browser-');
    const browser = spawn(
      this.#path,
      [
        ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
        ...[`--user-data-dir=${profile}`, '--remote-debugging-port=0'],
        `--host-resolver-rules=MAP ${AttackSite.reboundHost} 127.0.0.1`,
        url,
      ],
      { stdio: 'ignore' },
    );
    return {
      async close() {
        const ended = once(browser, 'exit');
        browser.kill('SIGKILL');
        await ended;
        rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  }
}

interface Package {
  readonly default: { executablePath(): Promise<string> };
}
