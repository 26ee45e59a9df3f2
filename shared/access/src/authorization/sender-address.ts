import type { IncomingMessage } from 'node:http';
import { addressOf } from '../calls/address.ts';
import { isPublicAddress } from './fetch-public.ts';

/** Who sends a request: behind a proxy on this machine or in its network, whom the proxy names last. */
export function toSenderAddress(request: IncomingMessage): string {
  const own = addressOf(request.socket);
  if (isPublicAddress(request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '')) return own;
  const named = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',').at(-1)?.trim();
  return named || own;
}
