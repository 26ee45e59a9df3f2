import { setTimeout as sleep } from 'node:timers/promises';
import type { Derive, DocumentStore, RebuildOptions, RebuildReport } from '../../../domain/store.ts';
import { isGone } from '../connection/errors.ts';
import type { Catalog } from '../rows/catalog.ts';
import { copyRows } from '../rows/copy-rows.ts';
import { isOn, type Turn, takeTurn, toLostTurn } from './index-swap.ts';

/** What a rebuild works with. */
export interface RebuildParts {
  readonly catalog: Catalog;
  /** What this program fills generations with, as text. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** How long a change of the catalog takes to be known to all writers, in milliseconds. */
  readonly settlingMs: number;
  /** Whether vectors of the same embedder stay, since they may cost money. */
  readonly keepsVectors?: boolean;
}

/** The sign in the catalog that a generation is about to take over. */
function createClosing(catalog: Catalog, { id, source }: Turn) {
  let shown = '';
  let beats = 0;
  let isUnbroken = true;
  return {
    /** Shows it, or that its maker is still at work. */
    show: async (): Promise<void> => {
      // Who waited for too long has taken it back, and written since.
      if (shown !== '' && (await catalog.read()).closing !== shown) isUnbroken = false;
      beats += 1;
      shown = `${id} ${beats}`;
      await catalog.write({ current: source.name, closing: shown });
    },
    /** Whether it was there all the time since the last question. */
    wasUnbroken: (): boolean => {
      const was = isUnbroken;
      isUnbroken = true;
      return was;
    },
    end: async (): Promise<void> => {
      const { current, closing } = await catalog.read();
      if (closing.startsWith(`${id} `)) await catalog.write({ current, closing: '' });
    },
  };
}

/** Copies all rows until the next generation has them, and lets it take the place of the one in use. */
async function succeed(
  turn: Turn,
  closing: ReturnType<typeof createClosing>,
  {
    catalog,
    dimensions,
    settlingMs,
    keepsVectors = false,
    derive,
    signal,
    onProgress,
  }: RebuildParts & RebuildOptions & { readonly derive: Derive },
): Promise<RebuildReport> {
  const { source, target } = turn;
  const checkTurn = async (): Promise<void> => {
    if (!(await isOn(catalog, turn))) throw toLostTurn();
  };
  const showClosing = async (): Promise<void> => {
    await checkTurn();
    await closing.show();
  };
  const rest = { derive, dimensions, keepsVectors, beforeWrite: checkTurn, ...(signal && { signal }) };
  const first = { ...rest, onBatch: checkTurn, ...(onProgress && { onProgress }) };
  const { kind, rows: done } = await copyRows(source.rows, target.rows, first);
  if (kind === 'interrupted') return { kind, documents: done };
  let pass = await copyRows(source.rows, target.rows, { ...rest, onBatch: checkTurn });
  do {
    if (pass.kind === 'interrupted') return { kind: pass.kind, documents: done };
    await showClosing();
    await sleep(settlingMs);
    pass = await copyRows(source.rows, target.rows, { ...rest, onBatch: showClosing });
    if (pass.kind === 'complete') await showClosing();
  } while (pass.kind === 'interrupted' || !closing.wasUnbroken());
  await catalog.write({ current: target.name, closing: '' });
  await catalog.drop(source.name);
  return { kind: pass.kind, documents: pass.rows };
}

/**
 * Builds the function that derives every index again, in a generation of its own that then takes the place of the one in
 * use, so that a rebuild which is cut off leaves the store as useful as it was, and its own generation for the next.
 */
export function createRebuild(parts: RebuildParts): DocumentStore['rebuild'] {
  const { catalog, fingerprint, settlingMs } = parts;
  return async (derive, options = {}) => {
    const turn = await takeTurn(catalog, { fingerprint, settlingMs, resume: options.resume ?? false });
    const closing = createClosing(catalog, turn);
    try {
      return await succeed(turn, closing, { ...parts, ...options, derive });
    } catch (error) {
      throw isGone(error) && !(await isOn(catalog, turn)) ? toLostTurn(error) : error;
    } finally {
      await closing.end();
    }
  };
}
