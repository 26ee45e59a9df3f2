import { ContextloomError } from '@contextloom/contracts';
import type { EmbedderIdentity } from '../domain/store.ts';

/** What derived the index of a store: documents and queries must go through the same. */
export interface Filling {
  readonly embedder: EmbedderIdentity;
  readonly indexVersion: number;
}

/** The command that fills a store with the embedder that is configured, and goes on where it was cut off. */
export const REEMBED_COMMAND = 'node services/knowledge-base/dist/reembed.js';
const REBUILD_COMMAND = 'node services/knowledge-base/dist/service.js --rebuild-index';

/** A filling as stores keep it. */
export function toFillingText({ embedder: { provider, model, dimensions }, indexVersion }: Filling): string {
  return JSON.stringify([provider, model, dimensions, indexVersion]);
}

function describe(text: string): string {
  const [provider, model, dimensions, indexVersion]: unknown[] = JSON.parse(text);
  return `${provider} ${model} with ${dimensions} dimensions (index version ${indexVersion})`;
}

/** What settings choose of a filling: the model of the lexical embedder is a version of this program. */
function toChoice(text: string): string {
  const [provider, model, dimensions]: unknown[] = JSON.parse(text);
  return JSON.stringify(provider === 'lexical' ? [provider, dimensions] : [provider, model, dimensions]);
}

/**
 * The error of a store that something else has filled; it names both and how to fill the store anew. Another embedder's
 * vectors all cost a call of the one that is configured; another index version's may cost none.
 */
export function toMismatchError(store: string, found: string, own: string): ContextloomError {
  const message =
    toChoice(found) === toChoice(own)
      ? `the store ${store} was indexed by another version of this program (${describe(found)}; this one has ${describe(own)}): stop this program and run ${REBUILD_COMMAND}, which makes the index anew from the documents`
      : `the store ${store} was filled by the embedder ${describe(found)}, and ${describe(own)} is configured: set the former again, or stop this program and run ${REEMBED_COMMAND}`;
  return new ContextloomError('unavailable', message);
}

/** What to do about an index that its engine has lost. */
export const REBUILD_ADVICE = `run ${REBUILD_COMMAND}`;
