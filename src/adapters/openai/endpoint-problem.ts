/**
 * One sentence on why the value of `OPENAI_BASE_URL` cannot be used, or `undefined` if it can. It never
 * repeats the value, which may hold a password. Names are not resolved: what is refused is a link-local
 * address in any notation and the known names of cloud metadata services.
 */
export function endpointProblem(baseUrl: string): string | undefined {
  if (!URL.canParse(baseUrl)) return 'OPENAI_BASE_URL must be an http or https URL.';
  const url = new URL(baseUrl);
  return CHECKS.find((check) => check.fails(url))?.problem;
}

interface Check {
  readonly fails: (url: URL) => boolean;
  readonly problem: string;
}

const LINK_LOCAL: readonly RegExp[] = [
  /^169\.254\.\d+\.\d+$/,
  /^\[fe[89ab][0-9a-f]:/,
  /^\[(::|::ffff:|64:ff9b::)a9fe:/,
];

const METADATA_HOSTS: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'instance-data',
  'instance-data.ec2.internal',
  '100.100.100.200',
  '[fd00:ec2::254]',
]);

const CHECKS: readonly Check[] = [
  {
    fails: (url) => url.protocol !== 'http:' && url.protocol !== 'https:',
    problem: 'OPENAI_BASE_URL must be an http or https URL.',
  },
  {
    fails: (url) => url.username !== '' || url.password !== '',
    problem:
      'OPENAI_BASE_URL must not contain a user name or password; set OPENAI_API_KEY instead.',
  },
  {
    fails: (url) => url.search !== '' || url.hash !== '',
    problem: 'OPENAI_BASE_URL must end with its path, without a query or fragment.',
  },
  {
    fails: (url) => isMetadataOrLinkLocal(url.hostname.replace(/\.$/, '')),
    problem: 'OPENAI_BASE_URL must not be a link-local address or a cloud metadata service.',
  },
];

function isMetadataOrLinkLocal(host: string): boolean {
  return METADATA_HOSTS.has(host) || LINK_LOCAL.some((pattern) => pattern.test(host));
}
