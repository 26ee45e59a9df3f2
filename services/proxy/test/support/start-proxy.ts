import { localPrincipal, type Principal } from '@contextloom/access';
import { silentLog } from '@contextloom/runtime';
import { type Listening, listen } from '@contextloom/server-kit';
import type { Said } from '../../src/chat/chat-request.ts';
import type { Asking, ChatMemory, MemoryOf, Recalled } from '../../src/memory.ts';
import { createProxyApi } from '../../src/proxy-api.ts';
import type { ProxyOptions } from '../../src/request-headers.ts';

/** A proxy over a memory that a test decides and hears. */
export interface TriedProxy extends Listening {
  readonly stored: { readonly of: MemoryOf; readonly said: readonly Said[] }[];
  readonly recalled: ({ readonly of: MemoryOf } & Asking)[];
  /** The keys that were shown. */
  readonly shown: (string | undefined)[];
  gives: Recalled;
}

/** Starts it in front of a provider. */
export async function startProxy(
  providerUrl: string,
  options: Partial<ProxyOptions> = {},
  principal: Principal = localPrincipal,
): Promise<TriedProxy> {
  const state: Pick<TriedProxy, 'stored' | 'recalled' | 'shown' | 'gives'> = {
    stored: [],
    recalled: [],
    shown: [],
    gives: { state: 'complete' },
  };
  const memory: ChatMemory = {
    recall: async (of, asking) => {
      state.recalled.push({ of, ...asking });
      return state.gives;
    },
    store: (of, said) => void state.stored.push({ of, said }),
    warmUp: () => undefined,
    close: async () => undefined,
  };
  const usual = { memory, providerUrl: `${providerUrl}/v1`, userId: 'default', stores: true, marks: false };
  const identify = (authorization: string | undefined): Principal => {
    state.shown.push(authorization);
    return principal;
  };
  const app = await createProxyApi({ ...usual, log: silentLog, ...options }).toApp({ guard: { identify } });
  return Object.assign(state, await listen(app, { host: '127.0.0.1', port: 0 }));
}
