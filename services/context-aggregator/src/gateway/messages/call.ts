import type { Principal } from '@contextloom/mcp-kit';
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Origin, Raw } from './rpc.ts';

/** What is known of a request of a client besides what it says, and the way back to this client. */
export interface Call extends Origin {
  readonly principal: Principal;
  readonly authInfo?: AuthInfo | undefined;
  readonly signal: AbortSignal;
  /** `modern` clients answer questions by asking again, with `input`. */
  readonly era: 'legacy' | 'modern';
  readonly capabilities: ClientCapabilities;
  /** What a modern client says with each request: revision, client, capabilities, log level. */
  readonly envelope?: Raw | undefined;
  /** `inputResponses` and `requestState`, where a modern client answers questions. */
  readonly input: Raw;
  /** Passes on the params of a progress notification, under the client's own token. */
  readonly onProgress: (params: Raw) => void;
}
