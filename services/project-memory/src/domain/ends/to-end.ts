import type { JsonObject } from '@contextloom/contracts';
import type { ContentType } from '@contextloom/contracts/project-memory';
import type { ProjectName } from '../project.ts';

/** After how many milliseconds a memory is forgotten that does not say when, where a rule is about it. */
export type ToLifetime = (memory: {
  readonly tags: readonly string[];
  readonly metadata: JsonObject;
}) => number | undefined;

/** What a memory says of itself that its end depends on. */
interface Ending extends ProjectName {
  readonly content_type: ContentType;
  /** When it is forgotten, as it says itself: ISO 8601. */
  readonly expires_at?: string | undefined;
}

/** What ends depend on besides the memory. */
export interface ToEndOptions {
  readonly ownerId: string;
  readonly toLifetime?: ToLifetime | undefined;
  readonly clock: () => Date;
}

/** When a memory is forgotten, in epoch milliseconds: as it says, or as a rule says from now on; undefined where neither does. */
export function toEnd(
  { expires_at: own, content_type: type, project_key, project_name }: Ending,
  { ownerId, toLifetime, clock }: ToEndOptions,
): number | undefined {
  if (own !== undefined) return Date.parse(own);
  const named = {
    ...(project_key !== undefined && { project: project_key }),
    ...(project_name !== undefined && { project_name }),
  };
  const lifetime = toLifetime?.({ tags: ['project', type], metadata: { ...named, user_id: ownerId } });
  return lifetime === undefined ? undefined : clock().getTime() + lifetime;
}
