import { ContextloomError } from '@contextloom/contracts';
import type { Call } from './messages/call.ts';
import type { Session } from './messages/provider.ts';

/** Most resources that one request to listen may name. */
const MAX_URIS = 1_024;

/** Resources that are watched for as long as somebody listens. */
export interface Watched {
  /** Those that could be. */
  readonly uris: readonly string[];
  readonly end: () => void;
}

/** Watches resources for all who listen as one client. */
export type Watch = (uris: readonly string[], call: Call) => Promise<Watched>;

/** Counts who watches what: the first has it watched, and the last to end has it watched no more. */
export function createWatch(handle: Session['handle']): Watch {
  const counts = new Map<string, number>();

  async function begin(uri: string, call: Call): Promise<boolean> {
    counts.set(uri, (counts.get(uri) ?? 0) + 1);
    const answer = await handle({ method: 'resources/subscribe', params: { uri } }, call);
    if (!('error' in answer)) return true;
    end(uri, call, false);
    return false;
  }

  function end(uri: string, call: Call, isTold = true): void {
    const left = (counts.get(uri) ?? 1) - 1;
    if (left > 0) return void counts.set(uri, left);
    counts.delete(uri);
    // Nobody waits for the answer.
    if (isTold) void handle({ method: 'resources/unsubscribe', params: { uri } }, call).catch(() => undefined);
  }

  return async (uris, call) => {
    if (uris.length > MAX_URIS) {
      const message = `resourceSubscriptions must name at most ${MAX_URIS} resources`;
      throw new ContextloomError('invalid', message, { field: 'resourceSubscriptions' });
    }
    const named = [...new Set(uris)];
    const begun = await Promise.all(named.map((uri) => begin(uri, call)));
    const watched = named.filter((_uri, at) => begun[at] === true);
    let hasEnded = false;
    return {
      uris: watched,
      end: () => {
        if (hasEnded) return;
        hasEnded = true;
        for (const uri of watched) end(uri, call);
      },
    };
  };
}
