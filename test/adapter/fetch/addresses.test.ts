import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../src/adapters/fetch/address-check.js';
import { HttpPageFetcher } from '../../../src/adapters/fetch/http-page-fetcher.js';

describe('an address', () => {
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'is public: %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.255'],
    ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1'],
    ...['192.88.99.1', '192.168.1.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
    ...['203.0.113.1', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::8.8.8.8', '::127.0.0.1', '::ffff:8.8.8.8', '::ffff:127.0.0.1'],
    ...['::ffff:0:127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::7f00:1', '100::1', '100:0:0:1::1'],
    ...['2001::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::1'],
    ...['3fff::1', '4000::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0'],
    ...['fec0::1', 'ff02::1', '', 'example.org', '127.1', '1.2.3.4.5'],
  ])('is not public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a URL that leads inside', () => {
  const fetcher = new HttpPageFetcher({ resolve: async () => expect.unreachable('no name here') });

  it.each([
    ...['http://127.0.0.1/', 'https://127.0.0.1:8443/', 'http://127.1/', 'http://0/'],
    ...['http://2130706433/', 'http://0x7f000001/', 'http://0x7f.1/', 'http://0177.0.0.1/'],
    ...['http://127.0.0.1./', 'http://①②⑦.0.0.1/', 'http://%31%32%37.0.0.1/'],
    ...['http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1/', 'http://192.168.0.1/'],
    ...['http://100.64.0.1/', 'http://[::1]/', 'http://[::]/', 'http://[::ffff:127.0.0.1]/'],
    ...['http://[::ffff:7f00:1]/', 'http://[::127.0.0.1]/', 'http://[64:ff9b::7f00:1]/'],
    ...['http://[2002:7f00:1::]/', 'http://[fe80::1]/', 'http://[fd00:ec2::254]/'],
    ...['http://localhost/', 'http://LOCALHOST./', 'http://a.b.localhost:3737/'],
  ])('is refused without asking DNS: %s', async (url) => {
    await expect(fetcher.fetch(url)).rejects.toMatchObject({ code: 'fetch_not_allowed' });
  });

  it.each(['file:///etc/passwd', 'ftp://8.8.8.8/', 'http://me:secret@8.8.8.8/'])(
    'is refused even if the caller has not checked it: %s',
    async (url) => {
      await expect(fetcher.fetch(url)).rejects.toMatchObject({ code: 'fetch_not_allowed' });
    },
  );

  it.each([
    ['a private address', ['10.1.2.3']],
    ['a loopback address', ['::1']],
    ['a public and a private address', ['8.8.8.8', '192.168.1.1']],
    ['a mapped address', ['::ffff:169.254.169.254']],
  ])('is refused where its name has %s', async (_, addresses) => {
    const named = new HttpPageFetcher({ resolve: async () => addresses });
    await expect(named.fetch('http://wiki.example/')).rejects.toMatchObject({
      code: 'fetch_not_allowed',
    });
  });
});

it('a name that does not resolve is a page that cannot be fetched', async () => {
  const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
  await expect(new HttpPageFetcher({ resolve }).fetch('http://nowhere.example/')).rejects.toThrow(
    'The page could not be fetched: the connection failed (ENOTFOUND)',
  );
});
