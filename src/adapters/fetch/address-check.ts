import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { notAllowed } from './readable-page.js';

/** Resolves a host name to its addresses, at least one. Rejects if the name has no address. */
type Resolve = (host: string) => Promise<readonly string[]>;

export interface AddressCheckOptions {
  /** Which addresses may be reached; default: the public ones. */
  readonly isAllowed?: ((address: string) => boolean) | undefined;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve | undefined;
}

/**
 * Decides by their addresses which servers may be reached. {@link lookup} resolves a name once per connection, and the
 * connection uses only the addresses that were checked, so a name that resolves differently later cannot evade the
 * check.
 */
export class AddressCheck {
  readonly #isAllowed: (address: string) => boolean;
  readonly #resolve: Resolve;

  constructor({ isAllowed = isPublicAddress, resolve = resolveBySystem }: AddressCheckOptions) {
    this.#isAllowed = isAllowed;
    this.#resolve = resolve;
  }

  /**
   * Checks a URL before its host name is resolved: the protocol, that there are no credentials, and the host if it is
   * an address or a local name. Numeric forms such as `127.1` or `0x7f000001` are addresses, because `URL` has
   * normalized them.
   * @throws KnowledgeError `fetch_not_allowed`
   */
  checkUrl({ protocol, username, password, hostname }: URL): void {
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const isWeb = protocol === 'http:' || protocol === 'https:';
    const isForbidden = isIP(host) === 0 ? LOCAL_NAME.test(host) : !this.#isAllowed(host);
    if (!isWeb || username !== '' || password !== '' || isForbidden) throw notAllowed();
  }

  /** @throws KnowledgeError `fetch_not_allowed` unless a connection leads to an address that may be reached */
  checkConnected(address: string | undefined): void {
    if (address === undefined || !this.#isAllowed(address)) throw notAllowed();
  }

  /**
   * Lookup function for `node:net`. Fails with `fetch_not_allowed` if any address of the name is forbidden, because a
   * name with both public and private addresses suggests an attack.
   */
  readonly lookup: LookupFunction = (host, { all }, callback) => {
    const answer = (addresses: readonly string[]): void => {
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = found;
      if (all === true) callback(null, found);
      else callback(null, first?.address ?? '', first?.family);
    };
    this.#lookUp(host).then(answer, (error) => callback(error, []));
  };

  async #lookUp(host: string): Promise<readonly string[]> {
    const addresses = await this.#resolve(host);
    if (!addresses.every(this.#isAllowed)) throw notAllowed();
    return addresses;
  }
}

/** Names that always mean this machine (RFC 6761). */
const LOCAL_NAME = /^(?:.*\.)?localhost\.?$/i;

async function resolveBySystem(host: string): Promise<readonly string[]> {
  const found = await systemLookup(host, { all: true });
  return found.map(({ address }) => address);
}

/**
 * Whether an address is globally routable unicast. False for every special range: private, loopback,
 * link-local, shared, multicast, documentation, and those that carry an IPv4 address inside (mapped,
 * compatible, translated, 6to4, Teredo), even if that address is public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_UNICAST);
}

/** The only block from which global addresses are assigned; new special ranges appear outside of it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
