import { lookup } from 'node:dns';
import { request } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';

/** Addresses that are not of the public internet. Source: IANA, special-purpose address registries. */
const special = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  special.addSubnet(net, bits, 'ipv4');
}
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(net, bits, 'ipv6');
}

/** Whether an address is one of the public internet; what carries an IPv4 address inside IPv6 is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, 'ipv4');
  return isIP(address) === 6 && global.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** Resolves names as usual and refuses them where any address is not public: what is checked is what is connected to. */
const lookUpPublic: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const refused = error ?? (addresses.every(({ address }) => isPublicAddress(address)) ? null : toRefusal(hostname));
    if (refused !== null) return callback(refused, '', 0);
    const [first] = addresses;
    if (options.all === true) return callback(null, addresses);
    callback(null, first?.address ?? '', first?.family);
  });

const toRefusal = (host: string): Error => new Error(`${host} is not an address of the public internet`);

/**
 * Reads an address that a stranger named: over https, of a public address, without following where it leads.
 * @throws Error for any other address, and where it cannot be read
 */
export function fetchPublic(address: string | URL, options: RequestInit = {}): Promise<Response> {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:' || (isIP(host) !== 0 && !isPublicAddress(host))) return Promise.reject(toRefusal(host));
  const { method = 'GET', signal, headers } = options;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      lookup: lookUpPublic,
      agent: false,
      ...(signal != null && { signal }),
    });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      const answered = new Headers();
      for (const name of ['content-type', 'content-length', 'cache-control', 'expires']) {
        const value = response.headers[name];
        if (typeof value === 'string') answered.set(name, value);
      }
      const status = response.statusCode ?? 500;
      const hasBody = status >= 200 && ![204, 205, 304].includes(status);
      resolve(
        new Response(hasBody ? (Readable.toWeb(response) as ReadableStream) : null, { status, headers: answered }),
      );
    });
    outgoing.end();
  });
}
