import { FOLLOW_CHANGE, type SourceChange } from '@contextloom/contracts';
import { KNOWLEDGE_BASE } from '../memories/memory-source.ts';
import { type Answer, bySchema } from './ask-store.ts';
import { type Followed, followedSchema } from './followed.ts';
import type { StoreContext } from './memory-store.ts';
import { PERSONAL_MEMORY } from './personal.ts';

/** The stores that keep what their memories were drawn from; typed memory keeps its own in the knowledge base. */
const FOLLOWING = [KNOWLEDGE_BASE, PERSONAL_MEMORY];
/** How often a change goes on from one store to the next. */
const MAX_ROUNDS = 8;

/** A change of memories that is followed. */
export interface FollowedChange {
  readonly sources: readonly string[];
  readonly change: SourceChange;
  /** What a memory that was corrected says now. */
  readonly now?: string | undefined;
  readonly isDryRun: boolean;
  /** The store that has followed it by itself. */
  readonly except?: string | undefined;
}

/** What followed, or which store could not tell. */
export type FollowedAnswer = Answer<readonly Followed[]> & { readonly service?: string | undefined };

/** A server of an earlier version keeps no sources. */
const isOlder = ({ reason }: { readonly reason: string }): boolean => reason.startsWith('offers no');

/** Follows a change of memories through every store that keeps what its own were drawn from; fails where one cannot tell. */
export async function followEverywhere(
  { sources, change, now, isDryRun, except }: FollowedChange,
  { ask, userId: user_id }: StoreContext,
): Promise<FollowedAnswer> {
  const followed = new Map<string, Followed>();
  const left: { readonly sources: readonly string[]; readonly by: string | undefined; readonly round: number }[] = [
    { sources, by: except, round: 0 },
  ];
  for (let next = left.shift(); next !== undefined && next.round < MAX_ROUNDS; next = left.shift()) {
    const { sources, by, round } = next;
    for (const service of FOLLOWING.filter((one) => one !== by && ask.has(one))) {
      const args = { user_id, sources, change, dry_run: isDryRun, now: round === 0 ? now : undefined };
      const call = { service, tool: [FOLLOW_CHANGE], args, isChange: !isDryRun };
      const answer = await ask({ ...call, read: bySchema(followedSchema) });
      if (answer.kind === 'failed' && isOlder(answer)) continue;
      if (answer.kind === 'failed') return { ...answer, service };
      const { consequences } = answer.value;
      // What was kept counts as it did. The store itself has followed the rest.
      const ids = consequences.filter(({ id, what }) => what !== 'kept' && !followed.has(id)).map(({ id }) => id);
      for (const one of consequences) followed.set(one.id, one);
      if (ids.length > 0) left.push({ sources: ids, by: service, round: round + 1 });
    }
  }
  return { kind: 'ok', value: [...followed.values()] };
}
