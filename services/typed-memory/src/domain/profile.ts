import { type MemoryType, memoryTypes } from '@contextloom/contracts/typed-memory';
import { toDay } from './day.ts';
import type { StoredMemory } from './memory.ts';
import { withoutOutdated } from './present-first.ts';
import type { TypedMemoryStore, TypeOverview } from './typed-memory-store.ts';

/** A short summary of what is known about a user. */
export interface Profile {
  readonly understanding: string;
  readonly activities: readonly string[];
  readonly areas: readonly string[];
  readonly counts: Readonly<Partial<Record<MemoryType, number>>>;
  readonly total: number;
  /** ISO 8601 UTC; absent when there is nothing yet. */
  readonly updatedAt: string | undefined;
  /** Who wrote `understanding`: listed facts, or a model. */
  readonly writer: 'list' | 'model';
}

/** Puts listed facts into a short readable text; undefined when it cannot. */
export type ProfileWriter = (facts: string, signal: AbortSignal) => Promise<string | undefined>;

/** What profiles are built from. */
export interface ProfileOptions {
  readonly store: Pick<TypedMemoryStore, 'overview'>;
  /** The time zone of the days (IANA). */
  readonly zone: string;
  readonly write?: ProfileWriter | undefined;
}

/** What a profile is to be made of. */
export interface ProfileRequest {
  /** All types without it. */
  readonly types?: readonly MemoryType[] | undefined;
  /** Whether a model may write the understanding, which costs a call. */
  readonly mayAskModel: boolean;
  readonly signal: AbortSignal;
}

/** Builds the profile of a user from what is stored. */
export type Profiles = (userId: string, request: ProfileRequest) => Promise<Profile>;

/** How many memories of a type are looked at. */
const LOOKED_AT = 50;
const SHOWN_ACTIVITIES = 10;
const SHOWN_AREAS = 20;
const MAX_LINE = 300;

const cut = (text: string): string => (text.length > MAX_LINE ? `${text.slice(0, MAX_LINE - 1)}…` : text);
const newestOf = (overview: TypeOverview | undefined): readonly StoredMemory[] => overview?.newest ?? [];

function toActivity({ occurredAt, content }: StoredMemory, zone: string): string {
  return cut(`${occurredAt === undefined ? '' : `[${toDay(occurredAt, zone)}] `}${content.replace(/\s+/gu, ' ')}`);
}

/** What a memory is about, in a few words. */
function toArea({ details = {}, content }: StoredMemory): string {
  return cut((details.concept ?? details.title ?? content.split(/[\n。.!?！？:：]/u, 1)[0] ?? '').trim().slice(0, 80));
}

function build(overviews: Readonly<Partial<Record<MemoryType, TypeOverview>>>, zone: string): Profile {
  const counts = Object.fromEntries(Object.entries(overviews).map(([type, { total }]) => [type, total]));
  const areas = [overviews.semantic, overviews.procedural, overviews.resource].flatMap(newestOf).map(toArea);
  const updated = Object.values(overviews).flatMap(({ newest, updatedAt }) => [
    updatedAt ?? '',
    ...newest.map((memory) => memory.updatedAt ?? ''),
  ]);
  return {
    understanding: withoutOutdated(newestOf(overviews.core))
      .map(({ content }) => cut(content.replace(/\s+/gu, ' ')))
      .join('\n'),
    activities: newestOf(overviews.episodic)
      .slice(0, SHOWN_ACTIVITIES)
      .map((memory) => toActivity(memory, zone)),
    areas: [...new Set(areas)].filter((area) => area !== '').slice(0, SHOWN_AREAS),
    counts,
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    updatedAt: updated
      .filter((time) => time !== '')
      .sort()
      .at(-1),
    writer: 'list',
  };
}

/** Builds what makes profiles; without a writer the facts are listed. */
export function createProfiles({ store, zone, write }: ProfileOptions): Profiles {
  return async (userId, { types = memoryTypes, mayAskModel, signal }) => {
    const profile = build(await store.overview(userId, types, LOOKED_AT, signal), zone);
    if (write === undefined || !mayAskModel || profile.total === 0) return profile;
    const facts = [profile.understanding, ...profile.activities, ...profile.areas].join('\n');
    const text = await write(facts, signal);
    return text === undefined ? profile : { ...profile, understanding: text, writer: 'model' };
  };
}
