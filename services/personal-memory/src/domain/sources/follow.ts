import { type Consequence, type FollowRequest, toConsequenceText } from '@contextloom/contracts';
import { type Derived, readAddress } from '../addresses.ts';
import { type MemoryContext, toTokens } from '../context.ts';
import { toEventText } from '../events/events.ts';
import type { MemoryReader, MemoryWriter } from '../store.ts';

/** The tag of an event whose source says something else now. */
const CHANGED_TAG = 'source-changed';

/** What was drawn from a source, and what it says. */
interface Drawn {
  readonly address: string;
  readonly derived: Derived;
  readonly text: string;
  /** The words that stand or fall with it. */
  readonly said: string;
}

function read(address: string, memory: MemoryReader): Drawn | undefined {
  const derived = readAddress(address);
  if (derived?.kind === 'fact') {
    const [entry] = memory.profile({ keys: [derived.key] });
    return entry && { address, derived, text: `${entry.key}: ${entry.value}`, said: entry.value };
  }
  const [event] = derived === undefined ? [] : memory.events({ ids: [derived.id] });
  return derived && event && { address, derived, text: event.description, said: event.description };
}

/** Takes out what rested on what is gone, for good: with the history of that value, and none of others. */
function erase({ derived, said, address }: Drawn, writer: MemoryWriter): void {
  writer.putSources(address, []);
  if (derived.kind === 'event') {
    writer.deleteEvent(derived.id);
    return;
  }
  writer.deleteProfile(derived.key);
  writer.deleteHistory(derived.key, said);
  writer.deleteProfileChanges(derived.key);
}

/** Takes an attribute out of the profile, which its history can bring back, and marks an event. */
function mark({ derived, address }: Drawn, writer: MemoryWriter, now: number): void {
  if (derived.kind === 'event') {
    const [event] = writer.events({ ids: [derived.id] });
    if (event === undefined || event.tags.includes(CHANGED_TAG)) return;
    const marked = { ...event, tags: [...event.tags, CHANGED_TAG] };
    writer.putEvent(marked, { tokens: toTokens(toEventText(marked)), vector: undefined });
    return;
  }
  const [entry] = writer.profile({ keys: [derived.key] });
  if (entry === undefined) return;
  writer.putSources(address, []);
  writer.deleteProfile(derived.key);
  writer.addVersion({ ...entry, change: 'delete', changedAt: now });
}

type Following = Omit<FollowRequest, 'userId'>;

function judge(drawn: Drawn, gone: ReadonlySet<string>, memory: MemoryReader, { change, now }: Following) {
  const left = memory.sourcesOf(drawn.address).filter((source) => !gone.has(source)).length;
  if (left > 0) return { what: 'kept' as const, left };
  if (change === 'forgotten') return { what: 'removed' as const, left };
  const stands = now?.toLowerCase().includes(drawn.said.toLowerCase()) === true;
  return stands ? undefined : { what: 'marked' as const, left };
}

/** Follows a change of sources to attributes and events, and on to what was drawn from these; without a writer it only tells. */
function follow(request: Following, memory: MemoryReader, writer: MemoryWriter | undefined, at: number) {
  const { sources, change } = request;
  const gone = new Set(sources);
  const consequences = new Map<string, Consequence>();
  const left = [...sources];
  for (let source = left.shift(); source !== undefined; source = left.shift()) {
    for (const address of memory.drawnFrom(source)) {
      const drawn = gone.has(address) ? undefined : read(address, memory);
      const verdict = drawn && judge(drawn, gone, memory, request);
      if (drawn === undefined || verdict === undefined) continue;
      const { what } = verdict;
      consequences.set(address, {
        id: address,
        what,
        ...((writer === undefined || what !== 'removed') && { text: toConsequenceText(drawn.text) }),
        ...(what === 'kept' && { sources_left: verdict.left }),
      });
      if (what !== 'kept') {
        gone.add(address);
        left.push(address);
      }
      if (writer === undefined) continue;
      if (what === 'removed') erase(drawn, writer);
      else if (what === 'marked') mark(drawn, writer, at);
      else if (change === 'forgotten') {
        writer.putSources(
          address,
          memory.sourcesOf(address).filter((one) => !gone.has(one)),
        );
      }
    }
  }
  return [...consequences.values()];
}

/** Follows a change of memories to what was drawn from them here, in one transaction; a dry run changes nothing. */
export async function followChange(
  { isDryRun, ...request }: Omit<FollowRequest, 'userId'>,
  { memory, clock }: MemoryContext,
): Promise<readonly Consequence[]> {
  const at = clock().getTime();
  const all = { ...request, isDryRun };
  return isDryRun ? follow(all, memory, undefined, at) : memory.change((writer) => follow(all, writer, writer, at));
}

/** Erases what rested on a memory alone that is deleted in the same transaction. */
export function followDeletion(source: string, writer: MemoryWriter): readonly Consequence[] {
  const followed = follow({ sources: [source], change: 'forgotten', isDryRun: false }, writer, writer, 0);
  writer.putSources(source, []);
  return followed;
}
