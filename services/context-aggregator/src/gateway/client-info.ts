import { SERVICE_NAME } from '../operations/deps.ts';
import { version } from '../version.ts';

/** Who the aggregator is to its upstreams. */
export const clientInfo = { name: SERVICE_NAME, version } as const;
