import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { withDeadline } from '@contextloom/runtime/scheduling';
import type { ChromaServer, FoundCollection } from '../connection/client.ts';

/*
 * One process writes to a store. The server has no locks, but of several processes that make a collection of one name, one makes
 * it. So whoever makes the empty collection `<name>-writer-<n>` is the writer, for as long as no higher n is there. Its metadata
 * names the holder, and a beat that changes as long as the holder lives.
 *
 * Who wants to take over waits until it has seen the same beat for a whole lease, makes n + 1, and then reads the beat once more;
 * the holder writes its beat, and then looks for n + 1. Whichever order the four steps come in, one of the two sees the other.
 */

/** How long a writer may show no sign of life, and how often it shows one, in milliseconds. */
const LEASE_MS = 5_000;
const BEATS_A_LEASE = 5;
/** What a holder relies on after its last sign of life, as a share of the lease: it ends before others take over. */
const RELIED_ON = 0.75;

/** The error of a store that another process writes to. */
export class HeldElsewhereError extends ContextloomError {
  /** Where the writer answers processes of its own machine, if it does. */
  readonly socket: string | undefined;

  constructor(message: string, socket: unknown) {
    super('unavailable', message);
    this.socket = typeof socket === 'string' ? socket : undefined;
  }
}

/** The right of this process to write to a store. */
export interface Lease {
  /**
   * Takes the lease, or makes sure that it is held; answers the term.
   * @throws HeldElsewhereError when another process has it
   */
  take(): Promise<number>;
  /**
   * Makes sure that the lease is still held in a term: what was read in an earlier one may have been changed by others since.
   * @throws ContextloomError `unavailable` when it is not
   */
  hold(term: number): Promise<void>;
  /** Gives it back. */
  release(): Promise<void>;
}

/** What a lease is made of. */
export interface LeaseOptions {
  readonly server: ChromaServer;
  /** The name of the store's collection. */
  readonly name: string;
  /** What other processes learn about who writes. */
  readonly holder: string;
  readonly newId: () => string;
  readonly leaseMs?: number;
  /** Where this process will answer others of its machine. */
  readonly socket?: string;
  /** Whether a writer answers at a socket: then it lives, and there is nothing to wait for. */
  readonly answersAt?: (socket: string) => Promise<boolean>;
}

interface Term {
  readonly number: number;
  readonly collection: FoundCollection;
}

const unlessGone = (error: unknown): false => {
  if (isContextloomError(error) && error.code === 'not_found') return false;
  throw error;
};

const beatOf = ({ collection, number }: Term): string => `${number} ${String(collection.notes['beat'])}`;

/** Begins without the lease. */
export function createLease({
  server,
  name,
  holder,
  newId,
  leaseMs = LEASE_MS,
  socket,
  answersAt,
}: LeaseOptions): Lease {
  const prefix = `${name}-writer-`;
  const beatMs = leaseMs / BEATS_A_LEASE;
  let own: Term | undefined;
  let reliableUntil = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  let isAnswered = true;
  let timer: NodeJS.Timeout | undefined;
  /** The last sign of life of another holder. */
  let seen: { readonly beat: string; readonly at: number; readonly lives: boolean } | undefined;

  const listTerms = async (): Promise<readonly Term[]> => {
    const all = await server.findCollections(prefix);
    const terms = all.map((collection) => ({ number: Number(collection.name.slice(prefix.length)), collection }));
    return terms.filter(({ number }) => Number.isSafeInteger(number)).sort((a, b) => b.number - a.number);
  };
  const toHeld = ({ collection }: Term): HeldElsewhereError =>
    new HeldElsewhereError(
      `${String(collection.notes['holder'])} writes to the collection "${name}" of ${server.name}, and one process does at a time: let this one ask that one's address (KB_URL), or end that one`,
      collection.notes['socket'],
    );
  const toNotes = () => ({ holder, beat: newId(), ...(socket !== undefined && { socket }) });

  /** Shows a sign of life, and makes sure that nobody has taken over. */
  async function beat(term: Term): Promise<void> {
    const begunAt = performance.now();
    const isThere = await term.collection.setNotes(toNotes()).then(() => true, unlessGone);
    const [top] = await listTerms();
    if (!isThere || top?.number !== term.number) {
      own = undefined;
      throw top === undefined ? new ContextloomError('unavailable', `the lease of "${name}" is gone`) : toHeld(top);
    }
    reliableUntil = begunAt + RELIED_ON * leaseMs;
  }

  /** Waits until the holder shows a sign of life, which it is refused for, or has shown none for a whole lease. */
  async function untilLost(first: Term): Promise<Term> {
    const answering = String(first.collection.notes['socket'] ?? '');
    if (answering !== '' && (await answersAt?.(answering))) throw toHeld(first);
    for (let top = first; ; ) {
      const shown = beatOf(top);
      const now = performance.now();
      if (seen === undefined) seen = { beat: shown, at: now, lives: false };
      else if (seen.beat !== shown) seen = { beat: shown, at: now, lives: true };
      if (seen.lives && now - seen.at < leaseMs) throw toHeld(top);
      if (now - seen.at >= leaseMs) return top;
      await sleep(beatMs / 2);
      const [next] = await listTerms();
      if (next === undefined) return top;
      top = next;
    }
  }

  async function claim(): Promise<void> {
    const [top] = await listTerms();
    const lost = top && (await untilLost(top));
    const number = (lost?.number ?? 0) + 1;
    const collection = await server.makeCollection(`${prefix}${number}`, toNotes()).catch(async (error: unknown) => {
      const isTaken = isContextloomError(error) && error.code === 'conflict';
      const [first] = isTaken ? await listTerms() : [];
      throw first === undefined ? error : toHeld(first);
    });
    const term = { number, collection };
    const [highest, ...others] = await listTerms();
    const isRival = (one: Term): boolean =>
      lost === undefined || one.number > lost.number || (one.number === lost.number && beatOf(one) !== beatOf(lost));
    const rival = highest?.number === number ? others.find(isRival) : highest;
    if (rival !== undefined) {
      await server.dropCollection(collection.name);
      throw toHeld(rival);
    }
    await beat(term);
    for (const other of others) await server.dropCollection(other.collection.name);
    own = term;
    timer ??= setInterval(() => void renew(true).catch(() => undefined), beatMs).unref(); // A call meets the same failure.
  }

  function renew(isBeat = false): Promise<void> {
    const isReliable = own !== undefined && performance.now() < reliableUntil;
    if (!isBeat && isReliable) return Promise.resolve();
    // Whoever gets no answers any more shows no more signs of life by itself: others may take over.
    if (isBeat && (own === undefined || !isAnswered)) return Promise.resolve();
    underWay ??= (own === undefined ? claim() : withDeadline(beat(own), leaseMs, toLate)).then(
      () => {
        underWay = undefined;
        isAnswered = true;
      },
      (error: unknown) => {
        underWay = undefined;
        isAnswered = false;
        throw error;
      },
    );
    return underWay;
  }
  const toLate = (): Error =>
    new ContextloomError('unavailable', `${server.name} did not answer within ${leaseMs / 1_000} s`);

  return {
    take: async () => {
      await renew();
      return own?.number ?? 0;
    },
    hold: async (term) => {
      if (own?.number === term) await renew();
      if (own?.number === term) return;
      throw new ContextloomError('unavailable', `this process writes to "${name}" no more, or anew; try again`);
    },
    release: async () => {
      clearInterval(timer);
      timer = undefined;
      await underWay?.catch(() => undefined); // What it was about matters no more.
      const term = own;
      own = undefined;
      reliableUntil = Number.NEGATIVE_INFINITY;
      if (term !== undefined) await server.dropCollection(term.collection.name);
    },
  };
}
