import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/client';
import { SERVICE_NAME } from '../../operations/deps.ts';
import { version } from '../../version.ts';
import type { Call } from './call.ts';
import type { OpenLink } from './provider.ts';
import type { Raw } from './rpc.ts';

/** What each request of the revision 2026-07-28 says in its `_meta`; the aggregator is the client of its upstreams. */
export function toEnvelope(
  { envelope, capabilities }: Pick<Call, 'envelope' | 'capabilities'>,
  { revision }: OpenLink,
  level?: string | undefined,
): Raw {
  return {
    ...(level !== undefined && { [LOG_LEVEL_META_KEY]: level }),
    ...envelope,
    [PROTOCOL_VERSION_META_KEY]: revision,
    [CLIENT_INFO_META_KEY]: { name: SERVICE_NAME, version },
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  };
}
