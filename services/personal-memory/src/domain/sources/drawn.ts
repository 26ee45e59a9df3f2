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
function findLast(key: string, memory: MemoryReader): ProfileVersion | undefined {
  const [last, ...earlier] = memory.history(key);
  return last?.change === 'delete' ? (earlier[0] ?? last) : undefined;
}

function readFact(key: string, memory: MemoryReader) {
  const [entry] = memory.profile({ keys: [key] });
  const known = entry ?? findLast(key, memory);
  return known && { text: `${key}: ${known.value}`, said: [known.value], isMarked: entry === undefined };
}

const toNames = (id: number, memory: MemoryReader): readonly string[] => {
  const name = memory.entity(id)?.name ?? null;
  return name === null ? [] : [name];
};

function readThing(kind: 'event' | 'entity' | 'relation', id: number, memory: MemoryReader) {
  if (kind === 'event') {
    const [event] = memory.events({ ids: [id] });
    return event && { text: event.description, said: [event.description], isMarked: event.tags.includes(CHANGED_TAG) };
  }
  if (kind === 'entity') {
    const entity = memory.entity(id);
    const said = toNames(id, memory);
    return entity && { text: entity.name ?? entity.type, said, isMarked: entity.tags.includes(CHANGED_TAG) };
  }
  const relation = memory.relations().find((one) => one.id === id);
  if (relation === undefined) return undefined;
  const [first = '?', second = '?'] = relation.entityIds.map((end) => toNames(end, memory)[0]);
  const said = relation.entityIds.flatMap((end) => toNames(end, memory));
  return {
    text: `${first} ${relation.type.replaceAll('_', ' ')} ${second}`,
    said,
    isMarked: CHANGED_TAG in relation.metadata,
  };
}

/** Reads what an address names here; undefined where nothing is. */
export function readDrawn(address: string, memory: MemoryReader): Drawn | undefined {
  const derived = readAddress(address);
  if (derived === undefined) return undefined;
  if (derived.kind === 'past') {
    const past = memory.history(derived.key).find(({ value }) => toValuePrint(value) === derived.print);
    return past && { address, derived, text: past.value, said: [past.value], isMarked: true };
  }
  const known = derived.kind === 'fact' ? readFact(derived.key, memory) : readThing(derived.kind, derived.id, memory);
  return known && { address, derived, ...known };
}

/** The most of what is about something that counts. */
const MAX_SUPPORTS = 64;

/** What an entity or a relation rests on beside its sources: what happened to it, what it is to others, an import. */
export function findSupports({ derived }: Drawn, memory: MemoryReader, gone: ReadonlySet<string>): readonly string[] {
  if (derived.kind !== 'entity' && derived.kind !== 'relation') return [];
  const { kind, id } = derived;
  const imports = memory
    .allClaims()
    .filter((one) => one.kind === kind && (kind === 'entity' ? one.entityId === id : one.value === String(id)))
    .map(({ importId }) => `import:${importId}`);
  if (kind === 'relation') return imports;
  const events = memory.events({ entityId: id }, { limit: MAX_SUPPORTS });
  const about = [
    ...events.map((event) => toEventAddress(event.id)),
    ...memory.relations(id).map((relation) => toRelationAddress(relation.id)),
  ];
  return [...imports, ...about.filter((address) => !gone.has(address))].slice(0, MAX_SUPPORTS);
}

function forgetValue(key: string, value: string, writer: MemoryWriter): void {
  writer.deleteHistory(key, value);
  writer.deleteProfileChanges(key);
}

/** Takes out what rested on what is gone, for good: with the history of that value, and none of others. */
export function eraseDrawn({ derived, said: [value = ''], address }: Drawn, writer: MemoryWriter): void {
  writer.putSources(address, []);
  if (derived.kind === 'past') {
    if (writer.profile({ keys: [derived.key] })[0]?.value !== value) forgetValue(derived.key, value, writer);
  } else if (derived.kind === 'fact') {
    writer.deleteProfile(derived.key);
    forgetValue(derived.key, value, writer);
  } else if (derived.kind === 'event') writer.deleteEvent(derived.id);
  else if (derived.kind === 'relation') writer.deleteRelation(derived.id);
  else writer.deleteEntity(derived.id);
}

function putEvent(event: MemoryEvent, writer: MemoryWriter): void {
  writer.putEvent(event, { tokens: toTokens(toEventText(event)), vector: undefined });
}

function tag(tags: readonly string[], isMarked: boolean): readonly string[] {
  const others = tags.filter((one) => one !== CHANGED_TAG);
  return isMarked ? [...others, CHANGED_TAG] : others;
}

function markRelation(id: number, isMarked: boolean, writer: MemoryWriter): void {
  const relation = writer.relations().find((one) => one.id === id);
  if (relation === undefined) return;
  const { [CHANGED_TAG]: _, ...metadata } = relation.metadata;
  writer.putRelation({ ...relation, metadata: isMarked ? { ...metadata, [CHANGED_TAG]: true } : metadata });
}

function markFact(
  key: string,
  isMarked: boolean,
  { writer, now }: { readonly writer: MemoryWriter; readonly now: number },
): void {
  const [entry] = writer.profile({ keys: [key] });
  if (isMarked && entry !== undefined) {
    writer.deleteProfile(key);
    writer.addVersion({ ...entry, change: 'delete', changedAt: now });
  }
  const last = isMarked ? undefined : findLast(key, writer);
  if (last === undefined) return;
  const { version: _version, change: _change, changedAt: _at, ...value } = last;
  const back = { ...value, updatedAt: now };
  writer.putProfile(back, { tokens: toTokens(toProfileText(back)), vector: undefined });
  writer.addVersion({ ...back, change: 'rollback', changedAt: now });
}

/** Says what something rests on from now on; an event is believed as little as the least of that. */
export function keepDrawn({ derived, address }: Drawn, left: readonly string[], writer: MemoryWriter): void {
  writer.putSources(address, left);
  const [event] = derived.kind === 'event' ? writer.events({ ids: [derived.id] }) : [];
  if (event === undefined) return;
  const metadata = withSourceTrust(event.metadata, left, writer);
  if (metadata !== event.metadata) putEvent({ ...event, metadata }, writer);
}

/** Takes something out of prompts whose source says something else now, or brings it back; its sources stay as they are. */
export function markDrawn(
  { derived }: Drawn,
  isMarked: boolean,
  change: { readonly writer: MemoryWriter; readonly now: number },
): void {
  const { writer, now } = change;
  if (derived.kind === 'fact') markFact(derived.key, isMarked, change);
  else if (derived.kind === 'relation') markRelation(derived.id, isMarked, writer);
  else if (derived.kind === 'event') {
    const [event] = writer.events({ ids: [derived.id] });
    if (event !== undefined) putEvent({ ...event, tags: tag(event.tags, isMarked) }, writer);
  } else if (derived.kind === 'entity') {
    const entity = writer.entity(derived.id);
    if (entity === undefined) return;
    const status = isMarked ? 'inactive' : 'active';
    writer.putEntity({ ...entity, status, tags: tag(entity.tags, isMarked), updatedAt: now });
  }
}
