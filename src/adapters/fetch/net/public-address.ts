import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Whether an address is globally routable unicast. False for every special range: private, loopback,
 * link-local, shared, multicast, documentation, and those that carry an IPv4 address inside (mapped,
 * compatible, translated, 6to4, Teredo), whatever that address is.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_UNICAST);
}

/** The only block that addresses are assigned from; new special ranges appear outside of it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
