import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startClient } from '../../test/support/running-service-calls.js';
import { tempDirectory } from '../../test/support/temp-project.js';
import { ATTEMPTS, type AttackReport } from './attack-page.js';
import { AttackSite } from './attack-site.js';
import { CarelessService } from './careless-service.js';
import { Chromium } from './chromium.js';

/**
 * S3 in a real browser: a hostile page tries to reach the service by every way that the web has.
 *
 *   npm run test:browser        needs CHROMIUM=<path>, or `npm install --no-save @sparticuz/chromium`
 */
const chromium = await Chromium.find();
process.stdout.write(`${await chromium.version()}\n`);
const site = await AttackSite.start();
const client = await startClient('hybrid');
const careless = await CarelessService.start();
try {
  const direct = await attack(site.origin, client.service.url);
  const rebound = await attack(site.reboundOrigin, reboundTo(client.service.url));
  const control = await attack(site.origin, careless.url);
  console.table({ 'service, cross-origin': direct, 'service, rebound': rebound, control });
  const held = [...Object.values(direct), ...Object.values(rebound)].every(
    (outcome) => !/^read|reached$/.test(outcome),
  );
  const isSeeing = Object.values(control).filter((outcome) => /reached$/.test(outcome)).length >= 4;
  const refused = await refusals(client.service.url);
  process.stdout.write(`refused by the service with 403: ${refused}\n`);
  process.stdout.write(
    `${held ? 'held' : 'BREACHED'}; control ${isSeeing ? 'reached' : 'BLIND'}\n`,
  );
  process.exitCode = held && isSeeing && refused > 0 ? 0 : 1;
} finally {
  await Promise.all([client.service.stop(), careless.stop(), site.stop()]);
}

/** What came of each attempt: what the page saw, and whether its request changed something. */
async function attack(origin: string, target: string): Promise<AttackReport> {
  const root = tempDirectory('knowledge-victim-');
  for (const name of ATTEMPTS) mkdirSync(join(root, name));
  const browser = chromium.open(`${origin}/attack?${new URLSearchParams({ target, root })}`);
  try {
    const seen = await site.report();
    const outcomes = ATTEMPTS.map((name) => {
      const isReached = existsSync(join(root, name, '.knowledge'));
      return [name, `${seen[name] ?? 'not tried'}${isReached ? ', reached' : ''}`];
    });
    return Object.fromEntries(outcomes);
  } finally {
    await browser.close();
  }
}

/** The address of a service under a name of the attacker that has come to mean this machine. */
function reboundTo(url: string): string {
  return url.replace('127.0.0.1', AttackSite.reboundHost);
}

async function refusals(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = [
    ...text.matchAll(/^\S*requests?_(?:total|seconds_count)\{[^}]*"403"[^}]*\} (\d+)/gm),
  ];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
