import { type Consequence, type FollowRequest, toConsequenceText } from '@contextloom/contracts';
import type { MemoryContext } from '../context.ts';
import type { MemoryReader, MemoryWriter } from '../store.ts';
import { type Drawn, eraseDrawn, findSupports, keepDrawn, markDrawn, readDrawn } from './drawn.ts';

type Following = Omit<FollowRequest, 'userId'>;
/** What becomes of something, and what it rests on afterwards; undefined where nothing does. */
type Verdict = { readonly what: Consequence['what']; readonly left: readonly string[] } | undefined;

/** Whether words say all that something stands or falls with. */
const says = (words: string | undefined, { said }: Drawn): boolean =>
  words !== undefined && said.every((one) => words.toLowerCase().includes(one.toLowerCase()));

async function judge(
  drawn: Drawn,
  gone: ReadonlySet<string>,
  memory: MemoryReader,
  { change, now }: Following,
): Promise<Verdict> {
  const { address, derived, isMarked } = drawn;
  const sources = (await memory.sourcesOf(address)).filter((source) => !gone.has(source));
  // What is about it stands in for a source that is gone.
  const left = sources.length > 0 ? sources : await findSupports(drawn, memory, gone);
  if (change === 'forgotten') return { what: left.length > 0 ? 'kept' : 'removed', left };
  if (derived.kind === 'past' || says(now, drawn) === !isMarked) return undefined;
  if (isMarked) return { what: 'restored', left: await memory.sourcesOf(address) };
  return { what: left.length > 0 ? 'kept' : 'marked', left };
}

/** One change while it is followed. */
interface Run {
  readonly request: Following;
  readonly memory: MemoryReader;
  readonly writer: MemoryWriter | undefined;
  readonly at: number;
  readonly gone: Set<string>;
  readonly consequences: Map<string, Consequence>;
}

async function apply(drawn: Drawn, { what, left }: NonNullable<Verdict>, { writer, at }: Run): Promise<void> {
  if (writer === undefined) return;
  if (what === 'removed') await eraseDrawn(drawn, writer);
  else if (what === 'kept') await keepDrawn(drawn, left, writer);
  else await markDrawn(drawn, what === 'marked', { writer, now: at });
}

/** Follows to one memory; answers whether what was drawn from it follows too. */
async function followTo(address: string, run: Run): Promise<boolean> {
  const { request, memory, writer, gone, consequences } = run;
  const drawn = gone.has(address) ? undefined : await readDrawn(address, memory);
  const verdict = drawn && (await judge(drawn, gone, memory, request));
  if (drawn === undefined || verdict === undefined) return false;
  const { what } = verdict;
  // An earlier value goes out of the history: nobody knows it by an id of its own.
  if (drawn.derived.kind !== 'past') {
    consequences.set(address, {
      id: address,
      what,
      ...((writer === undefined || what !== 'removed') && { text: toConsequenceText(drawn.text) }),
      ...(what === 'kept' && { sources_left: verdict.left.length }),
    });
  }
  await apply(drawn, verdict, run);
  if (what === 'kept' || drawn.derived.kind === 'past') return false;
  gone.add(address);
  return true;
}

/**
 * Follows a change of sources to what was drawn from them, and on to what was drawn from that; without a writer it only tells. People
 * and things come after all else: they stay while something that stays is about them.
 */
async function follow(request: Following, memory: MemoryReader, writer: MemoryWriter | undefined, at: number) {
  const run: Run = { request, memory, writer, at, gone: new Set(request.sources), consequences: new Map() };
  const left = [...request.sources];
  const things = new Set<string>();
  for (;;) {
    const source = left.shift();
    if (source !== undefined) {
      for (const address of await memory.drawnFrom(source)) {
        if (address.startsWith('entity:')) things.add(address);
        else if (await followTo(address, run)) left.push(address);
      }
      continue;
    }
    const [thing] = things;
    if (thing === undefined) return [...run.consequences.values()];
    things.delete(thing);
    if (await followTo(thing, run)) left.push(thing);
  }
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
export async function followDeletion(source: string, writer: MemoryWriter): Promise<readonly Consequence[]> {
  const followed = await follow({ sources: [source], change: 'forgotten', isDryRun: false }, writer, writer, 0);
  await writer.putSources(source, []);
  return followed;
}
