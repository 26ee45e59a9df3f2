import { ContextloomError } from '@contextloom/contracts';
import type { ChromaServer, FoundCollection } from './client.ts';
import type { Rows } from './collection.ts';

/*
 * The documents are in one collection, a generation, and the catalog, a collection without rows, says in its metadata
 * which: an index that is made anew is made beside the one in use, and then takes its place in one request.
 */

/** What the catalog says. */
export interface CatalogState {
  /** The name of the generation in use. */
  readonly current: string;
  /** The generation that is being made, or ''. */
  readonly next: string;
  /** Not '' while the next generation is about to take over; changes as long as its maker is at work. */
  readonly closing: string;
}

/** The collection that documents are in, and what filled it. */
export interface Generation {
  readonly name: string;
  readonly filling: string;
  readonly rows: Rows;
}

/** The catalog of a store. */
export interface Catalog {
  read(): Promise<CatalogState>;
  write(state: CatalogState): Promise<void>;
  /** Opens the generation of a name. */
  open(name: string): Promise<Generation>;
  /** Makes an empty generation, which is not in use yet. */
  make(): Promise<Generation>;
  drop(name: string): Promise<void>;
}

/** What a catalog works with. */
export interface CatalogOptions {
  readonly server: ChromaServer;
  /** The name of the catalog, which those of its generations begin with. */
  readonly name: string;
  /** What this program fills generations with, as text. */
  readonly filling: string;
  readonly newId: () => string;
}

function toGeneration({ name, notes, rows }: FoundCollection): Generation {
  return { name, filling: String(notes['filling'] ?? '[]'), rows };
}

/** Opens the catalog of a store, and makes it, with an empty generation, where there is none. */
export async function openCatalog({ server, name, filling, newId }: CatalogOptions): Promise<Catalog> {
  const find = async (): Promise<FoundCollection> => {
    const found = await server.findCollection(name);
    if (found !== undefined) return found;
    throw new ContextloomError(
      'unavailable',
      `${server.name} has lost the collection "${name}" since the store was opened`,
    );
  };
  const catalog: Catalog = {
    read: async () => {
      const { current, next, closing } = (await find()).notes;
      return { current: String(current ?? ''), next: String(next ?? ''), closing: String(closing ?? '') };
    },
    write: async (state) => (await find()).setNotes({ ...state }),
    open: async (wanted) => {
      const found = await server.findCollection(wanted);
      if (found !== undefined) return toGeneration(found);
      const message = `${server.name} has no collection "${wanted}", which holds the documents of "${name}"`;
      throw new ContextloomError('unavailable', message);
    },
    make: async () => toGeneration(await server.makeCollection(`${name}-${newId()}`, { filling })),
    drop: (unwanted) => server.dropCollection(unwanted),
  };
  if ((await server.findCollection(name)) === undefined) {
    const first = await catalog.make();
    // Another process may be at the same: whose catalog was first stays, and the other's generation goes.
    await server.makeCollection(name, { current: first.name, next: '', closing: '' });
    if ((await catalog.read()).current !== first.name) await catalog.drop(first.name);
  }
  return catalog;
}
