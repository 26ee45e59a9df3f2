import { ContextloomError } from '@contextloom/contracts';
import type { EmbedderIdentity } from './store.ts';

/** What derived the index of a store: documents and queries must go through the same. */
export interface Filling {
  readonly embedder: EmbedderIdentity;
  readonly indexVersion: number;
}

const COMMAND = 'node services/knowledge-base/dist/service.js --rebuild-index';

/** A filling as stores keep it. */
export function toFillingText({ embedder: { provider, model, dimensions }, indexVersion }: Filling): string {
  return JSON.stringify([provider, model, dimensions, indexVersion]);
}

function describe(text: string): string {
  const [provider, model, dimensions, indexVersion]: unknown[] = JSON.parse(text);
  return `${provider} ${model} with ${dimensions} dimensions (index version ${indexVersion})`;
}

/** The error of a store that something else has filled; it names both and how to fill the store anew. */
export function toMismatchError(store: string, found: string, own: string): ContextloomError {
  return new ContextloomError(
    'unavailable',
    `the store ${store} was filled by the embedder ${describe(found)}, and ${describe(own)} is configured: set the former again, or stop this program and run ${COMMAND}`,
  );
}

/** What to do about an index that its engine has lost. */
export const REBUILD_ADVICE = `run ${COMMAND}`;
