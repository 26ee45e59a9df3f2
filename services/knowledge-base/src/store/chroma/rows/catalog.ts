import { ContextloomError } from '@contextloom/contracts';
import type { ChromaServer, FoundCollection } from '../connection/client.ts';
import type { Rows } from './collection.ts';

/*
 * The documents are in one collection, a generation, and the catalog, a collection without rows, says in its metadata
 * which: an index that is rebuilt is made next to the one in use, and then takes its place in one request.
 *
 * The metadata of the generation in use names the next generation and the process that makes it: the server has no
 * compare-and-swap, and a note about the next one then cannot overwrite one about the current one.
 */

/** What the catalog says. */
export interface CatalogState {
  /** The name of the generation in use. */
  readonly current: string;
  /** Not '' while the next generation takes over; changes as long as its maker works. */
  readonly closing: string;
}

/** The generation that is being made, or that an interrupted maker left. */
export interface IndexSwap {
  /** Its name, or ''. */
  readonly next: string;
  /** Names the one rebuild that may write to it. */
  readonly turn: string;
}

/** The collection that documents are in, and what filled it. */
export interface Generation {
  readonly name: string;
  readonly fingerprint: string;
  readonly rows: Rows;
  /** The generation to replace it, as noted when it was opened. */
  readonly indexSwap: IndexSwap;
  /** The last sign of life of its maker when it was opened; '' for the one in use. */
  readonly beat: string;
  /** Notes the generation to replace it; rejects with `not_found` once the generation is gone. */
  setIndexSwap(indexSwap: IndexSwap): Promise<void>;
  /** Shows that its maker is at work; for one that is not in use yet. */
  setBeat(beat: string): Promise<void>;
}

/** The catalog of a store. */
export interface Catalog {
  read(): Promise<CatalogState>;
  write(state: CatalogState): Promise<void>;
  /** Opens the generation of a name. */
  open(name: string): Promise<Generation>;
  find(name: string): Promise<Generation | undefined>;
  /** Makes an empty generation, which is not in use yet. */
  make(): Promise<Generation>;
  drop(name: string): Promise<void>;
  newId(): string;
}

/** What a catalog works with. */
export interface CatalogOptions {
  readonly server: ChromaServer;
  /** The name of the catalog, which those of its generations begin with. */
  readonly name: string;
  /** What this program fills generations with, as text. */
  readonly fingerprint: string;
  readonly newId: () => string;
}

function toGeneration({ name, notes, rows, setNotes }: FoundCollection): Generation {
  const fingerprint = String(notes['filling'] ?? '[]');
  return {
    name,
    fingerprint,
    rows,
    indexSwap: { next: String(notes['next'] ?? ''), turn: String(notes['turn'] ?? '') },
    beat: String(notes['beat'] ?? ''),
    setIndexSwap: (indexSwap) => setNotes({ filling: fingerprint, ...indexSwap }),
    setBeat: (beat) => setNotes({ filling: fingerprint, beat }),
  };
}

/** Opens the catalog of a store; makes it, with an empty generation, where it is missing. */
export async function openCatalog({ server, name, fingerprint, newId }: CatalogOptions): Promise<Catalog> {
  const findOwn = async (): Promise<FoundCollection> => {
    const found = await server.findCollection(name);
    if (found !== undefined) return found;
    throw new ContextloomError(
      'unavailable',
      `${server.name} has lost the collection "${name}" since the store was opened`,
    );
  };
  const find = async (wanted: string): Promise<Generation | undefined> => {
    const found = await server.findCollection(wanted);
    return found && toGeneration(found);
  };
  const catalog: Catalog = {
    read: async () => {
      const { current, closing } = (await findOwn()).notes;
      return { current: String(current ?? ''), closing: String(closing ?? '') };
    },
    write: async (state) => (await findOwn()).setNotes({ ...state }),
    open: async (wanted) => {
      const found = await find(wanted);
      if (found !== undefined) return found;
      const message = `${server.name} has no collection "${wanted}", which holds the documents of "${name}"`;
      throw new ContextloomError('unavailable', message);
    },
    find,
    make: async () => toGeneration(await server.makeCollection(`${name}-${newId()}`, { filling: fingerprint })),
    drop: (unwanted) => server.dropCollection(unwanted),
    newId,
  };
  if ((await server.findCollection(name)) === undefined) {
    const first = await catalog.make();
    // Another process may do the same: the first catalog stays, and the generation of the other goes.
    await server.makeCollection(name, { current: first.name, closing: '' });
    if ((await catalog.read()).current !== first.name) await catalog.drop(first.name);
  }
  return catalog;
}
