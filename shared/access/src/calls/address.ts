import type { Socket } from 'node:net';
import { isIPv6 } from 'node:net';

/** IPv4 in the form of IPv6. Source: RFC 4291, section 2.5.5.2. */
const MAPPED = /^::ffff:(?=\d+\.)/i;
/** A network of IPv6 that one customer gets, in groups of 16 bits: it has as many addresses as it likes. Source: RFC 6177. */
const NETWORK_GROUPS = 4;

/** By which address a sender is counted: of IPv6 the network. */
export function addressOf({ remoteAddress = 'unknown' }: Pick<Socket, 'remoteAddress'>): string {
  const address = remoteAddress.replace(MAPPED, '');
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1).join('').split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const after = tail === undefined ? [] : tail.split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups.length - after.length }, () => '0');
  return `${[...groups, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
