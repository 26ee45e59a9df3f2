import type { JsonObject } from '@contextloom/contracts';

/** After how many milliseconds a memory is forgotten that does not say when, where a rule is about it. */
export type ToLifetime = (memory: {
  readonly tags: readonly string[];
  readonly metadata: JsonObject;
}) => number | undefined;

/** What a memory says of itself that its end depends on. */
export interface Ending {
  /** `fact`, `event` or `entity`, its category or type, and its tags. */
  readonly kinds: readonly (string | null | undefined)[];
  readonly metadata?: JsonObject | undefined;
  /** When it is forgotten, as it says itself: ISO 8601. */
  readonly expires_at?: string | undefined;
}

/** When a memory is forgotten: as it says, or as a rule says from now on; undefined where neither does. */
export type ToEnd = (ending: Ending) => number | undefined;

/** Builds what tells it of one user's memories. */
export function createToEnd(
  userId: string,
  { toLifetime, clock }: { readonly toLifetime?: ToLifetime | undefined; readonly clock: () => Date },
): ToEnd {
  return ({ kinds, metadata, expires_at: own }) => {
    if (own !== undefined) return Date.parse(own);
    const tags = kinds.filter((kind) => typeof kind === 'string');
    const lifetime = toLifetime?.({ tags, metadata: { ...metadata, user_id: userId } });
    return lifetime === undefined ? undefined : clock().getTime() + lifetime;
  };
}
