import { EXPIRY_KEY, type JsonObject } from '@contextloom/contracts';
import type { AddRequest } from '@contextloom/contracts/agent-memory';
import { requireEnd } from '../model/ends.ts';

/** After how many milliseconds an entry is forgotten that does not say when, where a rule is about it. */
export type ToLifetime = (entry: {
  readonly tags: readonly string[];
  readonly metadata: JsonObject;
}) => number | undefined;

/** What the metadata of a new entry is made with. */
export interface ToMetadataOptions {
  readonly toLifetime?: ToLifetime | undefined;
  /** Whose workspace it is. */
  readonly userId?: string | undefined;
  readonly clock: () => Date;
}

type Described = Pick<AddRequest, 'metadata' | 'expires_at' | 'content_type' | 'label'>;

/**
 * Builds what makes the metadata of a new entry, with when it is forgotten: as its caller says, or a rule from now on.
 * @throws ContextloomError `invalid` for an end that is no time
 */
export function createToMetadata({ toLifetime, userId, clock }: ToMetadataOptions) {
  return ({ metadata, expires_at: end, content_type: type, label }: Described): JsonObject | undefined => {
    requireEnd(metadata);
    if (end !== undefined) return { ...metadata, [EXPIRY_KEY]: end };
    if (toLifetime === undefined || (metadata !== undefined && Object.hasOwn(metadata, EXPIRY_KEY))) return metadata;
    const own = metadata?.['tags'];
    const tags = ['entry', type, label, ...(Array.isArray(own) ? own : [])].filter((tag) => typeof tag === 'string');
    const lifetime = toLifetime({ tags, metadata: { ...metadata, ...(userId !== undefined && { user_id: userId }) } });
    if (lifetime === undefined) return metadata;
    return { ...metadata, [EXPIRY_KEY]: new Date(clock().getTime() + lifetime).toISOString() };
  };
}

/** The metadata of a changed entry: what takes the place of the metadata before keeps its end, unless it names another or null. */
export function withKeptEnd(metadata: JsonObject | undefined, before: JsonObject | undefined): JsonObject | undefined {
  const end = before?.[EXPIRY_KEY];
  if (metadata === undefined) return before;
  return end === undefined ? metadata : { [EXPIRY_KEY]: end, ...metadata };
}
