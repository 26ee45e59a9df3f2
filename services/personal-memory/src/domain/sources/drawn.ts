import { type Derived, readAddress, toEventAddress, toRelationAddress, toValuePrint } from '../addresses.ts';
import { toTokens } from '../context.ts';
import { toEventText } from '../events/events.ts';
import { CHANGED_TAG, type MemoryEvent, type ProfileVersion } from '../model.ts';
import { toProfileText } from '../profile/profile-keys.ts';
import type { MemoryReader, MemoryWriter } from '../store.ts';
import { withSourceTrust } from './trust.ts';

/** What was drawn from a source, and what it says. */
export interface Drawn {
  readonly address: string;
  readonly derived: Derived;
  readonly text: string;
  /** The words that it stands or falls with. */
  readonly said: readonly string[];
  /** Whether it was marked before: its source says something else. */
  readonly isMarked: boolean;
}

/** The last value of an attribute that left the profile; undefined of one that is there, or never was. */
async function findLast(key: string, memory: MemoryReader): Promise<ProfileVersion | undefined> {
  const [last, ...earlier] = await memory.history(key);
  return last?.change === 'delete' ? (earlier[0] ?? last) : undefined;
}

async function readFact(key: string, memory: MemoryReader) {
  const [entry] = await memory.profile({ keys: [key] });
  const known = entry ?? (await findLast(key, memory));
  return known && { text: `${key}: ${known.value}`, said: [known.value], isMarked: entry === undefined };
}

async function readName(id: number, memory: MemoryReader): Promise<string | undefined> {
  return (await memory.entity(id))?.name ?? undefined;
}

async function readThing(kind: 'event' | 'entity' | 'relation', id: number, memory: MemoryReader) {
  if (kind === 'event') {
    const [event] = await memory.events({ ids: [id] });
    return event && { text: event.description, said: [event.description], isMarked: event.tags.includes(CHANGED_TAG) };
  }
  if (kind === 'entity') {
    const entity = await memory.entity(id);
    const said = entity?.name == null ? [] : [entity.name];
    return entity && { text: entity.name ?? entity.type, said, isMarked: entity.tags.includes(CHANGED_TAG) };
  }
  const relation = await memory.relation(id);
  if (relation === undefined) return undefined;
  const first = await readName(relation.entityIds[0], memory);
  const second = await readName(relation.entityIds[1], memory);
  return {
    text: `${first ?? '?'} ${relation.type.replaceAll('_', ' ')} ${second ?? '?'}`,
    said: [first, second].filter((name) => name !== undefined),
    isMarked: CHANGED_TAG in relation.metadata,
  };
}

/** Reads what an address names here; undefined where nothing is. */
export async function readDrawn(address: string, memory: MemoryReader): Promise<Drawn | undefined> {
  const derived = readAddress(address);
  if (derived === undefined) return undefined;
  if (derived.kind === 'past') {
    const past = (await memory.history(derived.key)).find(({ value }) => toValuePrint(value) === derived.print);
    return past && { address, derived, text: past.value, said: [past.value], isMarked: true };
  }
  const known = await (derived.kind === 'fact'
    ? readFact(derived.key, memory)
    : readThing(derived.kind, derived.id, memory));
  return known && { address, derived, ...known };
}

/** The most of what is about something that counts. */
const MAX_SUPPORTS = 64;

/** What an entity rests on beside its sources: what happened to it, and what it is to others. */
export async function findSupports(
  { derived }: Drawn,
  memory: MemoryReader,
  gone: ReadonlySet<string>,
): Promise<readonly string[]> {
  if (derived.kind !== 'entity') return [];
  const events = await memory.events({ entityId: derived.id }, { limit: MAX_SUPPORTS });
  const about = [
    ...events.map((event) => toEventAddress(event.id)),
    ...(await memory.relations(derived.id)).map((relation) => toRelationAddress(relation.id)),
  ];
  return about.filter((address) => !gone.has(address)).slice(0, MAX_SUPPORTS);
}

async function forgetValue(key: string, value: string, writer: MemoryWriter): Promise<void> {
  await writer.deleteHistory(key, value);
  await writer.deleteProfileChanges(key);
}

/** Takes out what rested on what is gone, for good: with the history of that value, and none of others. */
export async function eraseDrawn({ derived, said: [value = ''], address }: Drawn, writer: MemoryWriter): Promise<void> {
  await writer.putSources(address, []);
  if (derived.kind === 'past') {
    const [entry] = await writer.profile({ keys: [derived.key] });
    if (entry?.value !== value) await forgetValue(derived.key, value, writer);
  } else if (derived.kind === 'fact') {
    await writer.deleteProfile(derived.key);
    await forgetValue(derived.key, value, writer);
  } else if (derived.kind === 'event') await writer.deleteEvent(derived.id);
  else if (derived.kind === 'relation') await writer.deleteRelation(derived.id);
  else await writer.deleteEntity(derived.id);
}

function putEvent(event: MemoryEvent, writer: MemoryWriter): Promise<void> {
  return writer.putEvent(event, { tokens: toTokens(toEventText(event)), vector: undefined });
}

function tag(tags: readonly string[], isMarked: boolean): readonly string[] {
  const others = tags.filter((one) => one !== CHANGED_TAG);
  return isMarked ? [...others, CHANGED_TAG] : others;
}

async function markRelation(id: number, isMarked: boolean, writer: MemoryWriter): Promise<void> {
  const relation = await writer.relation(id);
  if (relation === undefined) return;
  const { [CHANGED_TAG]: _, ...metadata } = relation.metadata;
  await writer.putRelation({ ...relation, metadata: isMarked ? { ...metadata, [CHANGED_TAG]: true } : metadata });
}

async function markFact(
  key: string,
  isMarked: boolean,
  { writer, now }: { readonly writer: MemoryWriter; readonly now: number },
): Promise<void> {
  const [entry] = await writer.profile({ keys: [key] });
  if (isMarked && entry !== undefined) {
    await writer.deleteProfile(key);
    await writer.addVersion({ ...entry, change: 'delete', changedAt: now });
  }
  const last = isMarked ? undefined : await findLast(key, writer);
  if (last === undefined) return;
  const { version: _version, change: _change, changedAt: _at, ...value } = last;
  const back = { ...value, updatedAt: now };
  await writer.putProfile(back, { tokens: toTokens(toProfileText(back)), vector: undefined });
  await writer.addVersion({ ...back, change: 'rollback', changedAt: now });
}

/** Says what something rests on from now on; an event is believed as little as the least of that. */
export async function keepDrawn(
  { derived, address }: Drawn,
  left: readonly string[],
  writer: MemoryWriter,
): Promise<void> {
  await writer.putSources(address, left);
  const [event] = derived.kind === 'event' ? await writer.events({ ids: [derived.id] }) : [];
  if (event === undefined) return;
  const metadata = await withSourceTrust(event.metadata, left, writer);
  if (metadata !== event.metadata) await putEvent({ ...event, metadata }, writer);
}

/** Takes something out of prompts whose source says something else now, or brings it back; its sources stay as they are. */
export async function markDrawn(
  { derived }: Drawn,
  isMarked: boolean,
  change: { readonly writer: MemoryWriter; readonly now: number },
): Promise<void> {
  const { writer, now } = change;
  if (derived.kind === 'fact') await markFact(derived.key, isMarked, change);
  else if (derived.kind === 'relation') await markRelation(derived.id, isMarked, writer);
  else if (derived.kind === 'event') {
    const [event] = await writer.events({ ids: [derived.id] });
    if (event !== undefined) await putEvent({ ...event, tags: tag(event.tags, isMarked) }, writer);
  } else if (derived.kind === 'entity') {
    const entity = await writer.entity(derived.id);
    if (entity === undefined) return;
    const status = isMarked ? 'inactive' : 'active';
    await writer.putEntity({ ...entity, status, tags: tag(entity.tags, isMarked), updatedAt: now });
  }
}
