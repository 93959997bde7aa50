import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { BROWSER, launchBrowser } from '../../test/support/console-browser.js';
import { startClient } from '../../test/support/running-service-calls.js';
import { tempDirectory } from '../../test/support/temp-project.js';
import { ATTACK_PAGE, ATTEMPTS, type AttackReport } from './attack-page.js';

/**
 * S3 in a real browser: a hostile page tries every way of the web to reach the service.
 *
 *   npm run test:browser        needs chromium, like the tests of the console
 */
if (BROWSER === undefined) process.exit(1);

/** A name of the attacker that resolves to this machine in the browser. */
const REBOUND_HOST = 'evil.test';

/** The negative control: a service that obeys any request, from any origin and with any content type. */
const careless: RequestListener = async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [, fromBody] = /"projectPath":"([^"]+)"/.exec(await text(request)) ?? [];
  const project = url.searchParams.get('projectPath') ?? fromBody;
  if (project !== undefined) mkdirSync(join(project, '.knowledge'), { recursive: true });
  response.end('{}');
};

const site = await startServer((_, response) => {
  response.setHeader('Content-Type', 'text/html');
  response.end(ATTACK_PAGE);
});
const control = await startServer(careless);
const browser = await launchBrowser([`--host-resolver-rules=MAP ${REBOUND_HOST} 127.0.0.1`]);
const { service } = await startClient('hybrid');
try {
  process.stdout.write(`chromium ${browser.version()}\n`);
  const direct = await attack(site.url, service.url);
  const rebound = await attack(reboundTo(site.url), reboundTo(service.url));
  const seen = await attack(site.url, control.url);
  console.table({ 'service, cross-origin': direct, 'service, rebound': rebound, control: seen });
  const held = [...Object.values(direct), ...Object.values(rebound)].every(
    (outcome) => !/^read|reached$/.test(outcome),
  );
  const isSeeing = Object.values(seen).filter((outcome) => /reached$/.test(outcome)).length >= 4;
  const refused = await refusals(service.url);
  process.stdout.write(`refused by the service with 403: ${refused}\n`);
  process.stdout.write(
    `${held ? 'held' : 'BREACHED'}; control ${isSeeing ? 'reached' : 'BLIND'}\n`,
  );
  process.exitCode = held && isSeeing && refused > 0 ? 0 : 1;
} finally {
  await Promise.all([browser.close(), service.stop()]);
  for (const { stop } of [site, control]) stop();
}

async function startServer(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The outcome of each attempt: what the page saw, and whether its request had an effect. */
async function attack(origin: string, target: string): Promise<AttackReport> {
  const root = tempDirectory('knowledge-victim-');
  for (const name of ATTEMPTS) mkdirSync(join(root, name));
  const page = await browser.newPage();
  try {
    await page.goto(`${origin}/attack?${new URLSearchParams({ target, root })}`);
    const seen = (await page.evaluate('report')) as AttackReport;
    const outcomes = ATTEMPTS.map((name) => {
      const isReached = existsSync(join(root, name, '.knowledge'));
      return [name, `${seen[name] ?? 'not tried'}${isReached ? ', reached' : ''}`];
    });
    return Object.fromEntries(outcomes);
  } finally {
    await page.close();
  }
}

/** The address with the attacker's name, which now resolves to this machine. */
function reboundTo(url: string): string {
  return url.replace('127.0.0.1', REBOUND_HOST);
}

async function refusals(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counts = [
    ...metrics.matchAll(/^\S*requests?_(?:total|seconds_count)\{[^}]*"403"[^}]*\} (\d+)/gm),
  ];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
