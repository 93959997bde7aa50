import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/running-service-calls.js';
import { type ServedService, serveHybrid } from '../support/served-service.js';
import { type TempProject, TempProjects } from '../support/temp-project.js';
import { localFetcher, WebServer } from '../support/web-server.js';

const projects = new TempProjects();
let project: TempProject;
/** Listens on every address of this machine. */
let web: WebServer;
let client: Client<ServedService>;
let answer: (response: ServerResponse, path: string) => void;
/** Addresses of this machine that were connected to. */
let reached: (string | undefined)[] = [];

beforeAll(async () => {
  project = projects.make({ 'docs/a.md': 'the ibex climbs' });
  web = await WebServer.start((request, response) => {
    reached.push(request.socket.localAddress?.replace('::ffff:', ''));
    answer(response, request.url ?? '');
  }, '::');
});
afterAll(async () => {
  await web.stop();
  projects.removeAll();
});

describe('of the addresses that lead inside', () => {
  test.each([
    ['as they are', (port: number) => WAYS_INSIDE.map((host) => `http://${host}:${port}/`)],
    ['for other ports and schemes', () => WAYS_INSIDE.map((host) => `https://${host}/`)],
  ])('all are refused %s', async (_, urlsFor) => {
    client = await serveHybrid({ fetch: 'allowed' });
    await refuses(urlsFor(web.port));
    expect(reached).toEqual([]);
    await client.service.stop();
  });

  test('all are refused behind a redirect, and behind a name', async () => {
    const turns = new Map<string, number>();
    const resolve = async (host: string) => {
      const turn = turns.get(host) ?? 0;
      turns.set(host, turn + 1);
      const addresses = NAMES[host] ?? [['127.0.0.1']];
      return addresses[turn % addresses.length] ?? [];
    };
    client = await serveHybrid({ backends: { pages: localFetcher({ resolve }) } });
    answer = (response, path) => {
      const location = decodeURIComponent(path.slice('/to/'.length));
      // Headers are ASCII.
      const ascii = location.replace(/[^ -~]+/g, encodeURIComponent);
      response.writeHead(302, { Location: ascii }).end();
    };
    const to = (location: string, host = 'web.example') =>
      web.url(`/to/${encodeURIComponent(location)}`, host);
    const hosts = [...WAYS_INSIDE.filter((host) => !ALLOWED_HERE.has(host)), ...INSIDE_NAMES];
    await refuses([
      ...hosts.map((host) => to(`http://${host}:${web.port}/`)),
      to(to(`http://127.0.0.2:${web.port}/`)),
      to('file:///etc/passwd'),
      to(`//169.254.169.254/latest/meta-data/`),
      to(web.url('/', 'rebound.example'), 'rebound.example'),
      ...INSIDE_NAMES.map((host) => web.url('/', host)),
    ]);
    expect(new Set(reached)).toEqual(new Set(['127.0.0.1']));
    await client.service.stop();
  });
});

async function refuses(urls: readonly string[]): Promise<void> {
  reached = [];
  const wrong: string[] = [];
  for (const url of urls) {
    const { status, body } = await save(url);
    if (status !== 403 || body.code !== 'fetch_not_allowed') wrong.push(`${url}: ${status}`);
  }
  expect(wrong).toEqual([]);
  expect(urls.length).toBeGreaterThanOrEqual(20);
}

function save(url = web.url()) {
  return client.post('/x/urls', project, { url });
}

/** Hosts that are this machine, its network, or the metadata of a cloud, in all spellings. */
const WAYS_INSIDE = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '0', '127.0.0.1.'],
  ...['127.0.0.2', '①②⑦.0.0.2', '%31%32%37.0.0.2', '[::1]', '[::]', '[::ffff:127.0.0.1]'],
  ...['[::ffff:7f00:2]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', 'localhost'],
  ...['LOCALHOST.', 'a.b.localhost', '169.254.169.254', '10.0.0.1', '172.16.0.1', '192.168.0.1'],
  ...['100.64.0.1', '[fe80::1]', '[fd00:ec2::254]', '224.0.0.1', '255.255.255.255'],
];

/** The local fetcher may reach 127.0.0.1, however it is written. */
const ALLOWED_HERE = new Set(WAYS_INSIDE.slice(0, 8).filter((host) => host !== '0'));

/** What names resolve to, each time that they are asked for in turn; by default where the test's web is. */
const NAMES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'inside.example': [['127.0.0.2']],
  'six.example': [['::1']],
  'mapped.example': [['::ffff:127.0.0.2']],
  'both.example': [['127.0.0.1', '127.0.0.2']],
  'metadata.example': [['169.254.169.254']],
  // Means the test's web when it is first asked for, and another address right afterwards.
  'rebound.example': [['127.0.0.1'], ['127.0.0.2']],
};
const INSIDE_NAMES = Object.keys(NAMES).filter((name) => name !== 'rebound.example');
