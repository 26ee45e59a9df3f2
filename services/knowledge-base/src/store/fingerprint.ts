import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import type { EmbedderIdentity } from '../domain/store.ts';

/**
 * What to do with a store whose index something else made: refuse it; open it so that it can be rebuilt; or refuse it only when
 * another embedder made it, and use the index of another version of this program until it is made again.
 */
export type OnMismatch = 'refuse' | 'rebuild' | 'upgrade';

/** What derived the index of a store: documents and queries must go through the same. */
export interface Fingerprint {
  readonly embedder: EmbedderIdentity;
  readonly indexVersion: number;
}

/** The command that fills a store with the embedder that is configured, and goes on where it was cut off. */
export const REEMBED_COMMAND = 'node services/knowledge-base/dist/reembed.js';
const REBUILD_COMMAND = 'node services/knowledge-base/dist/service.js --rebuild-index';

/** A fingerprint as stores keep it. */
export function toFingerprintText({ embedder: { provider, model, dimensions }, indexVersion }: Fingerprint): string {
  return JSON.stringify([provider, model, dimensions, indexVersion]);
}

/** The embedder of a fingerprint as stores keep it. */
export function toEmbedder(text: string): EmbedderIdentity {
  const [provider, model, dimensions]: unknown[] = JSON.parse(text);
  return { provider: String(provider), model: String(model), dimensions: Number(dimensions) };
}

function describe(text: string): string {
  const [provider, model, dimensions, indexVersion]: unknown[] = JSON.parse(text);
  return `${provider} ${model} with ${dimensions} dimensions (index version ${indexVersion})`;
}

/** What settings choose of a fingerprint: the model of the lexical embedder is a version of this program. */
function toChoice(text: string): string {
  const [provider, model, dimensions]: unknown[] = JSON.parse(text);
  return JSON.stringify(provider === 'lexical' ? [provider, dimensions] : [provider, model, dimensions]);
}

/** Whether another version of this program made an index, configured as this one: it can be rebuilt without asking the operator. */
export function isOfAnotherVersion(found: string, own: string): boolean {
  return found !== own && toChoice(found) === toChoice(own);
}

/** Whether the vectors of two fingerprints are of one space. */
export function hasSameVectors(found: string, own: string): boolean {
  return JSON.stringify(toEmbedder(found)) === JSON.stringify(toEmbedder(own));
}

/** Advice for the operator alone: where the store is, and the command that repairs it. */
class Advice extends Error {
  override readonly name = 'Advice';
}

/** An error whose message says what is wrong, and whose cause, for the log, says what to do. */
function toAdvisedError(problem: string, advice: string, cause?: unknown): ContextloomError {
  const message = `${problem}: the log of the service says what to do`;
  return new ContextloomError('unavailable', message, { cause: new Advice(`${problem}: ${advice}`, { cause }) });
}

/** An error as a terminal shows it to the operator: with the advice that callers do not get. */
export function toOperatorError(error: unknown): unknown {
  if (!isContextloomError(error) || !(error.cause instanceof Advice)) return error;
  return new ContextloomError(error.code, error.cause.message, { cause: error });
}

/**
 * The error of a store that something else has filled; it names both. Its advice says where the store is, and how to fill it
 * again: another embedder's vectors all cost a call of the one that is configured; another index version's may cost none.
 */
export function toMismatchError(store: string, found: string, own: string): ContextloomError {
  if (toChoice(found) === toChoice(own)) {
    return toAdvisedError(
      `the store was indexed by another version of this program (${describe(found)}; this one has ${describe(own)})`,
      `start this program again, which makes the index of ${store} again from the documents by itself, or stop it and run ${REBUILD_COMMAND}`,
    );
  }
  return toAdvisedError(
    `the store was filled by the embedder ${describe(found)}, and ${describe(own)} is configured`,
    `set the former again for ${store}, or stop this program and run ${REEMBED_COMMAND}`,
  );
}

/** The error of a store whose engine has lost its index. */
export function toLostIndexError(store: string, cause: unknown): ContextloomError {
  const advice = `restore its folder from a backup, or run ${REBUILD_COMMAND}`;
  return toAdvisedError(`${store} has lost its vector index`, advice, cause);
}
