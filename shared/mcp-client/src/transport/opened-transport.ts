import type { Transport } from '@modelcontextprotocol/client';
import type { Wire } from './wire.ts';

/** A transport, and how to see to it that a process behind it ends: the SDK does not wait for that while it connects. */
export interface OpenedTransport {
  readonly transport: Transport;
  readonly end: (graceMs: number) => Promise<void>;
  /** Tells a server over HTTP that its session is not needed any more. */
  readonly leave?: () => Promise<void>;
  readonly forRequest?: Wire['forRequest'];
}
