import { ContextloomError } from '@contextloom/contracts';
import type { EmbedderIdentity } from './store.ts';

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

/** Another embedder's vectors all cost a call of the one that is configured; another index version's may cost none. */
function toCommand(found: string, own: string): string {
  const toEmbedder = (text: string): string => JSON.stringify(JSON.parse(text).slice(0, 3));
  return toEmbedder(found) === toEmbedder(own) ? REBUILD_COMMAND : REEMBED_COMMAND;
}

/** The error of a store that something else has filled; it names both and how to fill the store anew. */
export function toMismatchError(store: string, found: string, own: string): ContextloomError {
  return new ContextloomError(
    'unavailable',
    `the store ${store} was filled by the embedder ${describe(found)}, and ${describe(own)} is configured: set the former again, or stop this program and run ${toCommand(found, own)}`,
  );
}

/** What to do about an index that its engine has lost. */
export const REBUILD_ADVICE = `run ${REBUILD_COMMAND}`;
