/** A kind of secret, worded for use in a sentence. */
export type SecretKind =
  | 'private key'
  | 'API key'
  | 'access token'
  | 'AWS key id'
  | 'JSON web token'
  | 'password';

/**
 * The kinds of secrets that a text seems to contain, without duplicates, in the order of the table below. Recognizes
 * only well-known formats. Takes linear time.
 */
export function findSecrets(text: string): readonly SecretKind[] {
  const found = FORMATS.filter(({ pattern }) => text.search(pattern) !== -1);
  return [...new Set(found.map(({ kind }) => kind))];
}

/** Replaces each secret with `[redacted]`. The name in an assignment stays: `password=[redacted]`. */
export function redactSecrets(text: string): string {
  return FORMATS.reduce(
    (redacted, { pattern }) => redacted.replace(pattern, (_, name) => `${name}${REDACTED}`),
    text,
  );
}

const REDACTED = '[redacted]';

interface SecretFormat {
  readonly kind: SecretKind;
  /** Its first group is kept. Bounded quantifiers and distinct first characters keep it linear. */
  readonly pattern: RegExp;
}

/** A token cannot begin after one of these characters. */
const START = '(?<![A-Za-z0-9_])';

function token(kind: SecretKind, format: string): SecretFormat {
  return { kind, pattern: new RegExp(`${START}${format}()`, 'g') };
}

/** A character of a JSON web token, unless another token could begin there, so that none is tried twice. */
const IN_TOKEN = '(?:(?!-eyJ)[A-Za-z0-9_-])';
/** Values that stand for a secret, or for none. */
const PLACEHOLDER = '(?:null|nil|none|undefined|true|false|[*.•x]{3,60})';
const QUOTED = `(?!["']${PLACEHOLDER}["'])(?:"[^"\\n]{4,500}"|'[^'\\n]{4,500}')`;
const SIGNS = '\\s"\'`,;<>(){}&|\\[\\]';
/** A leading `$` names a variable. */
const BARE = `(?!\\$|${PLACEHOLDER}(?:[${SIGNS}]|$))[^${SIGNS}]{4,500}`;
/** A bare value after a space counts only if it has a digit, because code and prose also contain such pairs. */
const WITH_DIGIT = `(?=[^${SIGNS}0-9]{0,100}[0-9])`;
const WITH_LETTER = `(?=[^${SIGNS}A-Za-z]{0,100}[A-Za-z])`;
const LIKE_PASSWORD = `${WITH_DIGIT}${WITH_LETTER}(?!\\$)[^${SIGNS}]{6,500}`;
/** In a table. */
const CELL = `${LIKE_PASSWORD}(?=[\`]?[ \\t]{0,40}[|])`;
const RANDOM = '(?=[A-Za-z_+/=-]{0,100}[0-9])[A-Za-z0-9_+/=-]{16,500}(?![\\w.:(])';

const PASSWORD = [
  'passwor[dt]|passwd|passphrase|pwd|(?:db|user|admin|root|smtp|mysql|redis|ftp)_?pass',
  'contraseña|senha|mot de passe|wachtwoord|hasło|lösenord|пароль',
  '密码|密碼|パスワード|비밀번호',
].join('|');
const TOKEN = 'token|secret|api[ _-]?key|access[_-]?key';
const OTHER_KEY =
  '(?:(?:secret|private|signing|encryption|account|openai|azure|anthropic)[_-]?key(?:[_-]?base)?|_auth)';

/** An assignment to a name that ends with one of these words. The name stays. */
function assignment(operator: string, value: string, names = `${PASSWORD}|${TOKEN}`): SecretFormat {
  const name = `(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{0,60}(?:${names})`;
  const source = `(${name}["']? {0,4}${operator})(?!\\[redacted\\])${value}`;
  return { kind: 'password', pattern: new RegExp(source, 'gi') };
}

/** Formats as documented by their issuers. */
const FORMATS: readonly SecretFormat[] = [
  {
    kind: 'private key',
    pattern: new RegExp(
      [
        '()-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:',
        '(?:(?!-----)[\\s\\S]){0,20000}-----END [A-Z0-9 ]{0,40}-----|',
        '(?:\\s{0,4}[A-Za-z0-9+/=]{16,100}){0,400})',
      ].join(''),
      'g',
    ),
  },
  token('API key', 'sk-(?:ant-|proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,300}'),
  token('API key', 'AIza[A-Za-z0-9_-]{35}'),
  token('API key', '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,200}'),
  token('API key', '(?:gsk|xai|pplx|r8|hf|nvapi|tvly|HRKU|NRAK|CFPAT)[_-][A-Za-z0-9_-]{20,200}'),
  token('API key', '(?:dop_v1|shp(?:at|ca|pa|ss)|lin_api|ntn|figd|sbp)_[A-Za-z0-9_-]{20,200}'),
  token('API key', '(?:lsv2_(?:pt|sk)|pscale_(?:tkn|pw|oauth))_[A-Za-z0-9_-]{20,200}'),
  token('API key', '(?:ph[cx]|napi|secret|fm2|glc)_[A-Za-z0-9]{40,400}'),
  token('API key', 'fw_[A-Za-z0-9]{20,60}(?![A-Za-z0-9_])'),
  token('API key', '(?:sk_[a-f0-9]{48}|(?:fc-|SK)[a-f0-9]{32})(?![A-Za-z0-9])'),
  token('API key', 'sq0(?:atp|csp)-[A-Za-z0-9_-]{20,60}'),
  token('API key', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}'),
  token('API key', 'dt0c01\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  token('API key', 'GOCSPX-[A-Za-z0-9_-]{20,100}'),
  token('API key', 'dapi[a-f0-9]{32}(?![a-f0-9])'),
  token('API key', 'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,64}'),
  token('API key', 'key-[a-f0-9]{32}(?![a-f0-9])'),
  token('access token', 'gh[pousr]_[A-Za-z0-9]{30,255}'),
  token('access token', 'github_pat_[A-Za-z0-9_]{22,255}'),
  token('access token', 'gl(?:pat|dt|ptt|rt|cbt|ft|soat|agent|ffct|imt|wt)-[A-Za-z0-9_.-]{20,255}'),
  token('access token', 'GR1348941[A-Za-z0-9_-]{20,100}'),
  token('access token', '(?:ATBB|ops_eyJ|dp\\.[a-z]{2,5}\\.)[A-Za-z0-9_-]{28,400}'),
  token('access token', 'xox[a-eoprs]-[A-Za-z0-9-]{10,255}'),
  token('access token', 'xapp-[A-Za-z0-9-]{10,255}'),
  token('access token', 'npm_[A-Za-z0-9]{36,64}'),
  token('access token', '(?:bot)?[0-9]{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])'),
  token('access token', 'pypi-[A-Za-z0-9_-]{40,255}'),
  token('access token', '(?:dckr_pat|glsa|sntrys|rubygems|whsec|nfp)_[A-Za-z0-9_=-]{20,255}'),
  token('access token', '(?:hvs|hvb|ya29)\\.[A-Za-z0-9_-]{20,400}'),
  token(
    'access token',
    '(?:ATATT3|AGE-SECRET-KEY-1|PMAK-|tskey-[a-z]{3,8}-)[A-Za-z0-9_=-]{16,255}',
  ),
  token(
    'access token',
    '(?<=hooks\\.slack\\.com/services/)T[A-Z0-9]{6,12}/B[A-Z0-9]{6,12}/[A-Za-z0-9]{20,40}',
  ),
  token('access token', '(?<=discord(?:app)?\\.com/api/webhooks/\\d{15,20}/)[A-Za-z0-9_-]{50,100}'),
  token(
    'access token',
    '[MNO][A-Za-z0-9_-]{22,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])',
  ),
  token(
    'access token',
    '(?<=\\bBearer[ \\t]{1,4})(?=[A-Za-z_.~+/=-]{0,100}[0-9])[A-Za-z0-9_.~+/=-]{20,500}',
  ),
  token(
    'access token',
    '(?<=Authorization:[ \\t]{0,4}Basic[ \\t]{1,4})[A-Za-z0-9+/]{12,300}={0,2}',
  ),
  token('access token', '(?<=[?&]sig=)[A-Za-z0-9%+/=_-]{40,200}'),
  token('AWS key id', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])'),
  token(
    'JSON web token',
    `eyJ${IN_TOKEN}{8,4000}\\.eyJ${IN_TOKEN}{8,8000}\\.[A-Za-z0-9_-]{8,2000}`,
  ),
  {
    kind: 'password',
    pattern: new RegExp(
      [
        '((?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,20}://[^\\s:/?#@"\'`<>]{0,64}:)(?!\\[redacted\\])',
        '(?!(?:password|passwd|pass|pwd|secret|x{3,20})@)',
        '[^\\s:/?#@"\'`<>{}$*]{3,128}(?=@[^\\s@/])',
      ].join(''),
      'gi',
    ),
  },
  {
    kind: 'password',
    pattern: new RegExp(
      `((?<!\\S)(?:-u|--user)[ =]["']?[^\\s:"'\`]{1,64}:)(?!\\[redacted\\])${LIKE_PASSWORD}`,
      'g',
    ),
  },
  {
    kind: 'password',
    pattern: new RegExp(
      [
        '((?<![A-Za-z0-9_-])(?:machine[ \\t]{1,4}\\S{1,200}|default)',
        '(?:\\s{1,8}(?:login|account)[ \\t]{1,4}\\S{1,100}){1,2}',
        `\\s{1,8}password[ \\t]{1,4})(?!\\[redacted\\])${BARE}`,
      ].join(''),
      'g',
    ),
  },
  assignment('(?:=|:=|=>|:(?=[ \\t]{0,4}["\'])) {0,4}', QUOTED),
  assignment('[=\\uff1d]', BARE),
  assignment('[ \\t]{1,4}(?:=|:=|=>)[ \\t]{1,4}', WITH_DIGIT + BARE),
  assignment(
    '[*_]{0,3}(?::[*_]{0,3}[ \\t]|[*_]{0,3}\\uff1a)[ \\t]{0,3}[`]?',
    LIKE_PASSWORD,
    PASSWORD,
  ),
  assignment('[*_`]{0,3}[ \\t]{0,20}\\|[ \\t]{1,4}[`]?', CELL, PASSWORD),
  assignment('>', WITH_DIGIT + BARE, PASSWORD),
  assignment(':[ \\t]{1,4}', RANDOM),
  assignment(' {0,4}[=:] {0,4}["\']?', RANDOM, OTHER_KEY),
  assignment('[ \\t]{1,4}', `(?<=--[a-z-]{3,40}[ \\t]{1,4})${WITH_DIGIT}${BARE}`),
];
