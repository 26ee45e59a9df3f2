import { type MemoryContext, toSearchable } from './context.ts';
import type { Category, ProfileEntry, ProfileVersion } from './model.ts';
import type { MemoryReader } from './store.ts';
import { createCalendar } from './times.ts';

/** What an attribute is to be. */
export interface ProfileUpdate {
  readonly key: string;
  readonly value: string;
  readonly category?: Category | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly confidence?: number | undefined;
}

/** What became of an attribute. */
export interface ProfileOutcome {
  readonly previous: ProfileEntry | undefined;
  /** Other values that it was given on the same day, latest first: one of them may be wrong. */
  readonly contradicted: readonly string[];
}

/** The text by which an attribute is found. */
export function toProfileText({ key, value, tags = [] }: Pick<ProfileUpdate, 'key' | 'value' | 'tags'>): string {
  return [key.replace(/[_.-]+/g, ' '), value, ...tags].join(' ');
}

function findContradicted(memory: MemoryReader, update: ProfileUpdate, { now, zone }: MemoryContext): string[] {
  const { dayOf } = createCalendar(zone);
  const today = dayOf(now().getTime());
  const given = memory
    .history(update.key)
    .filter(({ change, changedAt }) => change !== 'delete' && dayOf(changedAt) === today)
    .map(({ value }) => value);
  return [...new Set(given)].filter((value) => value !== update.value);
}

/** Gives an attribute a value; category and tags stay where the update has none. */
export async function updateProfile(update: ProfileUpdate, context: MemoryContext): Promise<ProfileOutcome> {
  const before = context.memory.profile({ keys: [update.key] })[0];
  const text = await toSearchable(toProfileText({ ...update, tags: update.tags ?? before?.tags ?? [] }), context);
  return context.memory.change((writer) => {
    const previous = writer.profile({ keys: [update.key] })[0];
    const contradicted = findContradicted(writer, update, context);
    const entry: ProfileEntry = {
      key: update.key,
      value: update.value,
      category: update.category ?? previous?.category ?? null,
      tags: update.tags ?? previous?.tags ?? [],
      confidence: update.confidence ?? 1,
      updatedAt: context.now().getTime(),
    };
    writer.putProfile(entry, text);
    writer.addVersion({ ...entry, change: 'set', changedAt: entry.updatedAt });
    return { previous, contradicted };
  });
}

/** Deletes an attribute. Its history stays, so that it can be brought back, unless that is to go as well. */
export function deleteProfile(
  { key, eraseHistory }: { readonly key: string; readonly eraseHistory: boolean },
  { memory, now }: MemoryContext,
): Promise<boolean> {
  return memory.change((writer) => {
    const entry = writer.profile({ keys: [key] })[0];
    if (entry !== undefined) {
      writer.deleteProfile(key);
      writer.addVersion({ ...entry, change: 'delete', changedAt: now().getTime() });
    }
    if (eraseHistory) writer.deleteHistory(key);
    return entry !== undefined;
  });
}

/** What a rollback came to: the value that is there now, and the one that was. */
export interface RollbackOutcome {
  readonly restored: ProfileVersion;
  readonly previous: ProfileEntry | undefined;
}

/** The version before the value that is there, or the last value of one that was deleted. */
function findEarlier(versions: readonly ProfileVersion[], current: ProfileEntry | undefined) {
  return versions.find(({ change, value }) => change !== 'delete' && value !== current?.value);
}

/**
 * Brings back an earlier value of an attribute: that of a version, or the one before.
 * @returns undefined when there is no such version
 */
export async function rollBackProfile(
  { key, to }: { readonly key: string; readonly to?: number | undefined },
  context: MemoryContext,
): Promise<RollbackOutcome | undefined> {
  const find = (reader: MemoryReader): ProfileVersion | undefined => {
    const versions = reader.history(key);
    if (to !== undefined) return versions.find(({ version }) => version === to);
    return findEarlier(versions, reader.profile({ keys: [key] })[0]);
  };
  const wanted = find(context.memory);
  if (wanted === undefined) return undefined;
  const text = await toSearchable(toProfileText(wanted), context);
  return context.memory.change((writer) => {
    const previous = writer.profile({ keys: [key] })[0];
    const { value, category, tags, confidence } = wanted;
    const entry = { key, value, category, tags, confidence, updatedAt: context.now().getTime() };
    writer.putProfile(entry, text);
    writer.addVersion({ ...entry, change: 'rollback', changedAt: entry.updatedAt });
    return { restored: wanted, previous };
  });
}
