import { narrowBy, PRINCIPAL_KEY, type Principal } from '@contextloom/access';
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { metaOf, type Origin, type Raw } from './rpc.ts';

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

/** The caller of a request, with fewer rights where the request says so. @throws ContextloomError `invalid` for what is no principal */
export function narrowCaller(caller: Principal, params: Raw | undefined): Principal {
  const limit = metaOf(params)[PRINCIPAL_KEY];
  return limit === undefined ? caller : narrowBy(caller, limit, ['_meta', PRINCIPAL_KEY]);
}
