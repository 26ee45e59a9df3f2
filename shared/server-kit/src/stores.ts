import {
  ContextloomError,
  isContextloomError,
  type StoreState,
  type StoreUpkeep,
  type storeStatesSchema,
} from '@contextloom/contracts';
import { withDeadline } from '@contextloom/mcp-client';
import type { Log } from '@contextloom/runtime';
import type { z } from 'zod';

/** Which stores are looked at, and whether they are brought up to date first. */
export interface LookAtStoresOptions {
  readonly stores: readonly StoreUpkeep[];
  /** What the flag says. */
  readonly mode: string;
  readonly log: Log;
  /** How long looking at one may take, in milliseconds. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;

const stateOf = (found: number, expected: number): StoreState['state'] => {
  if (found === 0) return 'missing';
  if (found === expected) return 'current';
  return found < expected ? 'behind' : 'newer';
};

async function read({ find }: StoreUpkeep, timeoutMs: number): Promise<number> {
  const raced = await withDeadline(find, { timeoutMs });
  if (raced.kind === 'done') return raced.value;
  throw new ContextloomError('timeout', `it did not answer within ${timeoutMs / 1_000} s`);
}

async function look(
  store: StoreUpkeep,
  { mode, log, timeoutMs = TIMEOUT_MS }: LookAtStoresOptions,
): Promise<StoreState> {
  const { store: name, engine, where, expected } = store;
  const common = { store: name, engine, where, expected };
  try {
    const before = await read(store, timeoutMs);
    const isChanged = mode === 'migrate' && before < expected;
    if (isChanged) await store.migrate();
    const found = isChanged ? await read(store, timeoutMs) : before;
    const state = stateOf(found, expected);
    const reason = `version ${found} was made by a newer program, and this one knows versions up to ${expected}: use the newer one`;
    return { ...common, found: found === 0 ? null : found, state, ...(state === 'newer' && { reason }) };
  } catch (cause) {
    log.debug({ store: name, cause }, 'a store could not be looked at');
    const reason = isContextloomError(cause) ? cause.message : 'cannot be read; LOG_LEVEL=debug shows why';
    return { ...common, found: null, state: 'unreachable', reason };
  }
}

/**
 * Looks how far the schemas of stores are; with the mode `migrate`, brings them up to date before.
 * @throws ContextloomError `invalid` for another mode than `check` and `migrate`
 */
export async function lookAtStores(options: LookAtStoresOptions): Promise<z.output<typeof storeStatesSchema>> {
  const { stores, mode } = options;
  if (mode !== 'check' && mode !== 'migrate') {
    throw new ContextloomError('invalid', `--stores must be check or migrate; got "${mode}"`, { field: 'stores' });
  }
  return { stores: await Promise.all(stores.map((one) => look(one, options))) };
}
