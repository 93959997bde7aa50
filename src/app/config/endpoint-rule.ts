/**
 * The rule that a value breaks as the base URL of a language model; undefined if it is valid. The text
 * never repeats the value, which may contain a password. Host names are not resolved: link-local
 * addresses in any notation and the known names of cloud metadata services are refused.
 */
export function endpointProblem(value: unknown): string | undefined {
  const problem = httpProblem(value);
  if (problem !== undefined) return problem;
  const url = new URL(String(value));
  return CHECKS.find((check) => check.fails(url))?.problem;
}

/** The rule that a value breaks as an http or https URL; undefined if it is valid. */
export function httpProblem(value: unknown): string | undefined {
  const isHttp =
    typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return isHttp ? undefined : 'must be an http or https URL';
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
    fails: (url) => url.username !== '' || url.password !== '',
    problem: 'must not contain a user name or password; set the API key separately',
  },
  {
    fails: (url) => url.search !== '' || url.hash !== '',
    problem: 'must end with its path, without a query or fragment',
  },
  {
    fails: (url) => isMetadataOrLinkLocal(url.hostname.replace(/\.$/, '')),
    problem: 'must not be a link-local address or a cloud metadata service',
  },
];

function isMetadataOrLinkLocal(host: string): boolean {
  return METADATA_HOSTS.has(host) || LINK_LOCAL.some((pattern) => pattern.test(host));
}
