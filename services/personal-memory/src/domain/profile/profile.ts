import type { Consequence, Trust } from '@contextloom/contracts';
import type { Category } from '@contextloom/contracts/personal-memory';
import { toFactAddress, toPastAddress } from '../addresses.ts';
import { type MemoryContext, toSearchable, toTokens } from '../context.ts';
import { toEventText } from '../events/events.ts';
import type { ProfileEntry, ProfileVersion } from '../model.ts';
import { readDrawn } from '../sources/drawn.ts';
import { followDeletion } from '../sources/follow.ts';
import { requireWordOfPeople } from '../sources/trust.ts';
import type { MemoryReader, MemoryWriter } from '../store.ts';
import { createCalendar } from '../times.ts';
import { toProfileChangeEvent } from './profile-changes.ts';
import { createMeansTheSame, toProfileText } from './profile-keys.ts';

/** A new value of an attribute. */
export interface ProfileUpdate {
  readonly key: string;
  readonly value: string;
  readonly category?: Category | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly confidence?: number | undefined;
  /** Who said it. */
  readonly trust?: Trust | undefined;
  /** What it was drawn from; without it it stands by itself. */
  readonly derived_from?: readonly string[] | undefined;
  /** When it is forgotten; without it the end that it has stays, unless a rule says another. */
  readonly expires_at?: string | undefined;
}

/** The outcome of an update. */
export interface ProfileOutcome {
  readonly previous: ProfileEntry | undefined;
  /** Other values of today for it, or for a key that means the same, latest first: one may be wrong. */
  readonly contradicted: readonly string[];
  /** Attributes whose key means the same and whose value differs. */
  readonly conflicts: readonly ProfileEntry[];
  /** When it is forgotten, in epoch milliseconds; undefined where it has no end. */
  readonly end: number | undefined;
}

async function findConflicts(memory: MemoryReader, { key, value }: ProfileUpdate): Promise<readonly ProfileEntry[]> {
  const keys = (await memory.profileKeys()).filter(createMeansTheSame(key));
  return keys.length === 0 ? [] : (await memory.profile({ keys })).filter((entry) => entry.value !== value);
}

async function findContradicted(
  memory: MemoryReader,
  update: ProfileUpdate,
  { conflicts, clock, zone }: Pick<MemoryContext, 'clock' | 'zone'> & { readonly conflicts: readonly ProfileEntry[] },
): Promise<string[]> {
  const { dayOf } = createCalendar(zone);
  const today = dayOf(clock().getTime());
  const given = (await memory.history(update.key)).filter(
    ({ change, changedAt }) => change !== 'delete' && dayOf(changedAt) === today,
  );
  const elsewhere = conflicts.filter(({ updatedAt }) => dayOf(updatedAt) === today);
  return [...new Set([...given, ...elsewhere].map(({ value }) => value))].filter((value) => value !== update.value);
}

/** Prepares the event of a change before the transaction; the returned function writes it. */
async function prepareChangeEvent(
  change: { readonly key: string; readonly from: string | undefined; readonly to: string | undefined },
  context: MemoryContext,
): Promise<(writer: MemoryWriter, from: string | undefined) => Promise<void>> {
  const time = context.clock().getTime();
  const toEvent = (from: string) => toProfileChangeEvent({ key: change.key, to: change.to, from, time });
  const isChange = change.from !== undefined && change.from !== change.to;
  const text = isChange ? await toSearchable(toEventText(toEvent(change.from)), context) : undefined;
  return async (writer, from) => {
    if (from === undefined || from === change.to) return;
    const event = toEvent(from);
    // When another call changed the value meanwhile, there is no vector; the words are enough.
    const own = from === change.from ? text : undefined;
    await writer.addEvent(event, time, own ?? { tokens: toTokens(toEventText(event)), vector: undefined });
  };
}

/** Says what a value was drawn from; what the value before was drawn from is kept for the history, which goes with that. */
async function putFactSources(
  { key, value }: { readonly key: string; readonly value: string | undefined },
  sources: readonly string[],
  writer: MemoryWriter,
): Promise<void> {
  const address = toFactAddress(key);
  const before = await writer.sourcesOf(address);
  const [past] = before.length === 0 ? [] : ((await readDrawn(address, writer))?.said ?? []);
  if (past !== undefined && past !== value) await writer.putSources(toPastAddress(key, past), before);
  if (value !== undefined) await writer.putSources(toPastAddress(key, value), []);
  await writer.putSources(address, sources);
}

/** Sets an attribute; category and tags stay unless the update has some. A change is stored as an event too. */
export async function updateProfile(update: ProfileUpdate, context: MemoryContext): Promise<ProfileOutcome> {
  const { key, value } = update;
  const before = (await context.memory.profile({ keys: [key] }))[0];
  const text = await toSearchable(toProfileText({ ...update, tags: update.tags ?? before?.tags ?? [] }), context);
  const addChange = await prepareChangeEvent({ key, from: before?.value, to: value }, context);
  return context.memory.change(async (writer) => {
    await requireWordOfPeople(update, writer);
    const [previous] = await writer.profile({ keys: [key] });
    const conflicts = await findConflicts(writer, update);
    const contradicted = await findContradicted(writer, update, { ...context, conflicts });
    const entry: ProfileEntry = {
      key,
      value,
      category: update.category ?? previous?.category ?? null,
      tags: update.tags ?? previous?.tags ?? [],
      confidence: update.confidence ?? 1,
      updatedAt: context.clock().getTime(),
    };
    // The same value from elsewhere rests on both; said by itself it rests on nothing.
    const before = previous?.value === value ? await writer.sourcesOf(toFactAddress(key)) : [];
    const isAlone = update.derived_from === undefined || (previous?.value === value && before.length === 0);
    await putFactSources(update, isAlone ? [] : [...before, ...(update.derived_from ?? [])], writer);
    await writer.putProfile(entry, text);
    const given = context.toEnd?.({ ...update, kinds: ['fact', entry.category, ...entry.tags] });
    if (given !== undefined) await writer.putEnd(toFactAddress(key), given);
    const end = given ?? (await writer.endOf(toFactAddress(key)));
    await writer.addVersion({ ...entry, change: 'set', changedAt: entry.updatedAt });
    await addChange(writer, previous?.value);
    return { previous, contradicted, conflicts, end };
  });
}

/** Deletes an attribute. Its history stays for a rollback, unless `eraseHistory` is set. */
export async function deleteProfile(
  { key, eraseHistory }: { readonly key: string; readonly eraseHistory: boolean },
  context: MemoryContext,
): Promise<{ readonly isDeleted: boolean; readonly consequences: readonly Consequence[] }> {
  const { memory, clock } = context;
  const from = eraseHistory ? undefined : (await memory.profile({ keys: [key] }))[0]?.value;
  const addChange = await prepareChangeEvent({ key, from, to: undefined }, context);
  return memory.change(async (writer) => {
    const [entry] = await writer.profile({ keys: [key] });
    if (entry !== undefined) {
      await putFactSources({ key, value: undefined }, [], writer);
      await writer.deleteProfile(key);
      await writer.addVersion({ ...entry, change: 'delete', changedAt: clock().getTime() });
    }
    const consequences = entry !== undefined && eraseHistory ? await followDeletion(toFactAddress(key), writer) : [];
    await writer.putSources(toFactAddress(key), []);
    if (eraseHistory) {
      await writer.deleteHistory(key);
      await writer.deleteProfileChanges(key);
      await writer.putEnd(toFactAddress(key), undefined);
    } else await addChange(writer, entry?.value);
    return { isDeleted: entry !== undefined, consequences };
  });
}

/** The outcome of a rollback: the restored value, and the one that it replaced. */
export interface RollbackOutcome {
  readonly restored: ProfileVersion;
  readonly previous: ProfileEntry | undefined;
}

/** The version before the current value, or the last value of a deleted attribute. */
function findEarlier(versions: readonly ProfileVersion[], current: ProfileEntry | undefined) {
  return versions.find(({ change, value }) => change !== 'delete' && value !== current?.value);
}

/**
 * Restores an earlier value of an attribute: that of a version, or the previous one.
 * @returns undefined for an unknown version
 */
export async function rollBackProfile(
  { key, to }: { readonly key: string; readonly to?: number | undefined },
  context: MemoryContext,
): Promise<RollbackOutcome | undefined> {
  const find = async (reader: MemoryReader): Promise<ProfileVersion | undefined> => {
    const versions = await reader.history(key);
    if (to !== undefined) return versions.find(({ version }) => version === to);
    return findEarlier(versions, (await reader.profile({ keys: [key] }))[0]);
  };
  const wanted = await find(context.memory);
  if (wanted === undefined) return undefined;
  const text = await toSearchable(toProfileText(wanted), context);
  const current = (await context.memory.profile({ keys: [key] }))[0]?.value;
  const addChange = await prepareChangeEvent({ key, from: current, to: wanted.value }, context);
  return context.memory.change(async (writer) => {
    const [previous] = await writer.profile({ keys: [key] });
    const { value, category, tags, confidence } = wanted;
    const entry = { key, value, category, tags, confidence, updatedAt: context.clock().getTime() };
    // Whoever brings it back stands for it.
    await putFactSources({ key, value }, [], writer);
    await writer.putProfile(entry, text);
    await writer.addVersion({ ...entry, change: 'rollback', changedAt: entry.updatedAt });
    await addChange(writer, previous?.value);
    return { restored: wanted, previous };
  });
}
