import { describe, expect, it } from 'vitest';
import { findSecrets, redactSecrets } from '../../../src/domain/redaction.js';

const letters = (count: number) => 'aB3dE5gH7jK9mN1pQ2sT4vW6xY8z'.repeat(20).slice(0, count);
const hex = (count: number) => '0123456789abcdef'.repeat(20).slice(0, count);

/** Made of pieces, so that no scanner takes this file for a leak. */
const SECRETS: readonly (readonly [kind: string, secret: string])[] = [
  ['API key', `sk-${letters(48)}`],
  ['API key', `sk-proj-${letters(60)}`],
  ['API key', `sk-ant-api03-${letters(90)}`],
  ['API key', `sk-or-v1-${hex(64)}`],
  ['API key', `AIza${letters(35)}`],
  ['API key', `sk_live_${letters(24)}`],
  ['API key', `gsk_${letters(52)}`],
  ['API key', `hf_${letters(34)}`],
  ['API key', `SG.${letters(22)}.${letters(43)}`],
  ['API key', `shpat_${hex(32)}`],
  ['API key', `dop_v1_${hex(64)}`],
  ['API key', `lin_api_${letters(40)}`],
  ['API key', `GOCSPX-${letters(28)}`],
  ['API key', `dapi${hex(32)}`],
  ['API key', `sk_${hex(48)}`],
  ['API key', `tvly-${letters(32)}`],
  ['API key', `fc-${hex(32)}`],
  ['API key', `SK${hex(32)}`],
  ['API key', `fw_${letters(24)}`],
  ['API key', `lsv2_pt_${hex(32)}_${hex(10)}`],
  ['API key', `phx_${letters(43)}`],
  ['API key', `sq0atp-${letters(22)}`],
  ['API key', `pat${letters(14)}.${hex(64)}`],
  ['API key', `dt0c01.${'ABCDEFGH12345678ABCDEFGH'}.${'ABCDEFGH12345678'.repeat(4)}`],
  ['access token', `GR1348941${letters(20)}`],
  ['access token', `dp.pt.${letters(43)}`],
  ['access token', `xoxc-123456789012-${letters(24)}`],
  ['access token', `ghp_${letters(36)}`],
  ['access token', `ghs_${letters(36)}`],
  ['access token', `github_pat_${letters(22)}_${letters(59)}`],
  ['access token', `glpat-${letters(20)}`],
  ['access token', `xoxb-123456789012-${letters(24)}`],
  ['access token', `xoxp-123456789012-${letters(24)}`],
  ['access token', `npm_${letters(36)}`],
  ['access token', `110201543:AA${letters(33)}`],
  ['access token', `7110201543:AA${letters(33)}`],
  ['access token', `bot110201543:AA${letters(33)}`],
  ['access token', `dckr_pat_${letters(27)}`],
  ['access token', `hvs.${letters(90)}`],
  ['access token', `PMAK-${hex(24)}-${hex(34)}`],
  ['access token', `MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.${letters(27)}`],
  ['AWS key id', `AKIA${'ABCDEFGH12345678'}`],
  ['AWS key id', `ASIA${'ABCDEFGH12345678'}`],
  ['JSON web token', `eyJ${letters(30)}.eyJ${letters(60)}.${letters(43)}`],
  ['private key', `-----BEGIN RSA PRIVATE KEY-----\n${letters(64)}\n-----END RSA PRIVATE KEY-----`],
  ['private key', `-----BEGIN OPENSSH PRIVATE KEY-----\n${letters(64)}`],
  ['private key', `-----BEGIN PRIVATE KEY-----\n${letters(64)}\n-----END PRIVATE KEY-----`],
];

describe('a secret', () => {
  it.each(SECRETS)('%s is found and redacted in a sentence: %s', (kind, secret) => {
    for (const text of [`Use ${secret} here.`, `(${secret})`, `\`${secret}\``, `a\n${secret}\nb`]) {
      expect(findSecrets(text)).toContain(kind);
      expect(redactSecrets(text)).toBe(text.replace(secret, '[redacted]'));
    }
  });

  it.each([
    ['password=hunter22', 'password=[redacted]'],
    ['PASSWORD = "correct horse"', 'PASSWORD = [redacted]'],
    ['DB_PASSWORD=s3cr3t!', 'DB_PASSWORD=[redacted]'],
    ['DB_PASSWORD=p@$$w0rd9', 'DB_PASSWORD=[redacted]'],
    ['password=nullify7', 'password=[redacted]'],
    ['password="********1"', 'password=[redacted]'],
    ['token = q$1w2e3r', 'token = [redacted]'],
    ['accessToken = "abcd1234"', 'accessToken = [redacted]'],
    ["token='abcd-1234'", 'token=[redacted]'],
    ['api_key: "abcdef0123"', 'api_key: [redacted]'],
    ['?token=abcdef0123&page=2', '?token=[redacted]&page=2'],
    ['"password": "hunter22"', '"password": [redacted]'],
    ['password: hunter2', 'password: [redacted]'],
    ['db password: s3cr3t-pass', 'db password: [redacted]'],
    ['--password hunter2', '--password [redacted]'],
    ['API key: abcd1234efgh5678', 'API key: [redacted]'],
    [`AUTH_TOKEN: ${letters(24)}`, 'AUTH_TOKEN: [redacted]'],
    [`AWS_SECRET_ACCESS_KEY: ${letters(20)}/${letters(19)}`, 'AWS_SECRET_ACCESS_KEY: [redacted]'],
    [`AccountKey=${letters(86)}==;Endpoint=x`, 'AccountKey=[redacted];Endpoint=x'],
    [`SECRET_KEY = "${letters(40)}"`, 'SECRET_KEY = "[redacted]"'],
    ['postgres://admin:hunter2@db:5432/app', 'postgres://admin:[redacted]@db:5432/app'],
    ['mongodb+srv://u:p%40ss@c0.example.net', 'mongodb+srv://u:[redacted]@c0.example.net'],
    ['redis://:s3cret@localhost', 'redis://:[redacted]@localhost'],
    ['**Password:** hunter2x', '**Password:** [redacted]'],
    ['Password: `hunter2x`', 'Password: `[redacted]`'],
    ['| password | hunter2x |', '| password | [redacted] |'],
    ['<password>hunter2x</password>', '<password>[redacted]</password>'],
    ['password\t=\thunter2', 'password\t=\t[redacted]'],
    ['密码：abc12345', '密码：[redacted]'],
    ['пароль: Qwerty123', 'пароль: [redacted]'],
    ['DB_PASS=hunter2x', 'DB_PASS=[redacted]'],
    [`AZURE_OPENAI_KEY=${hex(32)}`, 'AZURE_OPENAI_KEY=[redacted]'],
    ['curl -u admin:hunter2x https://a.example', 'curl -u admin:[redacted] https://a.example'],
    ["curl --user 'admin:hunter2x' b", "curl --user 'admin:[redacted]' b"],
    [
      'machine a.example login me password hunter',
      'machine a.example login me password [redacted]',
    ],
    ['default login me password s3cret!', 'default login me password [redacted]'],
    [
      'machine a login b account c password d3f4',
      'machine a login b account c password [redacted]',
    ],
    ['machine a\n  login me\n  password s3cret!', 'machine a\n  login me\n  password [redacted]'],
  ])('in the assignment %s leaves its name', (text, redacted) => {
    expect(findSecrets(text)).toEqual(['password']);
    expect(redactSecrets(text)).toBe(redacted);
  });

  it('is redacted at every place, and nothing is left for a second run', () => {
    const text = SECRETS.map(([, secret]) => secret).join(' and ');
    const redacted = redactSecrets(text);
    expect(redactSecrets(redacted)).toBe(redacted);
    for (const [, secret] of SECRETS) expect(redacted).not.toContain(secret);
  });
});

it.each([
  ['Authorization: Bearer ', letters(40)],
  ['https://a.blob.core.windows.net/b?sv=2024-11-04&sp=r&sig=', `${letters(42)}%3D`],
  ['Authorization: Basic ', 'dXNlcjpwYXNzd29yZA=='],
  ['https://hooks.slack.com/services/', `T00000000/B00000000/${letters(24)}`],
  ['https://discord.com/api/webhooks/123456789012345678/', letters(68)],
])('a secret behind %s is redacted', (before, secret) => {
  expect(findSecrets(`Send ${before}${secret} first.`)).toEqual(['access token']);
  expect(redactSecrets(`Send ${before}${secret} first.`)).toBe(`Send ${before}[redacted] first.`);
});

describe('a text without secrets', () => {
  it.each([
    'The token budget is 8000.',
    'Tokens: 12, password rules: at least 8 signs',
    'password: ask Maria',
    'password: string, token: Uint8Array, secret: Buffer',
    'token: config.auth0.clientToken and token: getTokenFromOauth2(user)',
    'password: $DB_PASSWORD_1 and token: {{ TOKEN_2 }}',
    'postgres://user:password@localhost/db and https://a.example:8080/@x',
    'redis://:$REDIS_PASSWORD@host, postgres://u:<password>@db',
    'Bearer tokens are sent in the header',
    'the secret key: see the vault',
    'commit 4ee9ac18d5a0f6b2c3d4e5f60718293a4b5c6d7e',
    'sk-learn, task-force-of-the-year, risk-assessment',
    'eyJhbGciOi is how a JSON web token begins',
    'The password is stored as a hash.',
    'const token = await login(user)',
    'ghp_short and AKIA',
    `12345678:${hex(40)}`,
    'at 20261129:a-heading-of-some-sort-in-this-log',
    'npm_config_build_from_source=true',
    'napi_create_string_utf8_with_a_length_of_64_units',
    '| password | string |',
    'docker run -u 1000:1000 and docker run --user node:node',
    'curl -u "$USER:$PASSWORD_2"',
    'On this machine the login page asks for a password again.',
    '?sig=short&sigma=2',
    'The default password policy, and a machine with password protection.',
    'fc-network-switch-of-rack-12',
    'password=******** or password="********", as the log masks it',
    'token=null, apiToken=undefined; password=xxxx and secret=...',
  ])('stays as it is: %s', (text) => {
    expect(findSecrets(text)).toEqual([]);
    expect(redactSecrets(text)).toBe(text);
  });
});

describe('a long run', () => {
  const seconds = (unit: string, length: number) => {
    const text = unit.repeat(Math.ceil(length / unit.length));
    const start = performance.now();
    redactSecrets(text);
    return performance.now() - start;
  };

  it.each([
    'a',
    ' ',
    '=',
    '-',
    'sk-',
    'eyJ',
    'a_',
    '-----BEGIN ',
    'token=',
    '"',
    'password ',
    'machine a login ',
  ])('of %j takes time that is linear in its length', (unit) => {
    seconds(unit, 10_000);
    expect(seconds(unit, 400_000)).toBeLessThan(100 * Math.max(5, seconds(unit, 40_000)));
  });

  it('of possible token starts takes linear time', () => {
    seconds('-eyJ', 10_000);
    expect(seconds('-eyJ', 400_000)).toBeLessThan(20 * Math.max(20, seconds('eyJ', 400_000)));
  });
});
