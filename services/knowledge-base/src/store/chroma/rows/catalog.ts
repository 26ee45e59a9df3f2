import { ContextloomError } from '@contextloom/contracts';
import type { ChromaServer, FoundCollection } from '../connection/client.ts';

/*
 * The rows are in the collection of the configured name. Its metadata says what filled it. One that is made to replace it,
 * with vectors of another embedder or out of the form of an earlier version, is called `<name>-next`; once it is whole, its
 * metadata says so, and it takes the place and the name of the other whatever ends the program in between.
 */

/** The form of the rows, as the metadata of a collection says it. */
const FORM = 'plain';

/** How an earlier version kept documents: in a collection whose name the configured one's metadata gives. */
export interface EarlierForm {
  readonly kind: 'earlier';
  readonly catalog: FoundCollection;
  readonly documents: FoundCollection;
  readonly fingerprint: string;
}

/** The collection of plain rows. */
export interface PlainForm {
  readonly kind: 'plain';
  readonly documents: FoundCollection;
  readonly fingerprint: string;
}

const toFingerprint = ({ notes }: FoundCollection): string => String(notes['filling'] ?? '[]');
const nextOf = (name: string): string => `${name}-next`;

async function findEarlier(server: ChromaServer, catalog: FoundCollection): Promise<EarlierForm> {
  const current = String(catalog.notes['current']);
  const documents = await server.findCollection(current);
  if (documents !== undefined) return { kind: 'earlier', catalog, documents, fingerprint: toFingerprint(documents) };
  const message = `${server.name} has no collection "${current}", which holds the documents of "${catalog.name}"`;
  throw new ContextloomError('unavailable', message);
}

/** Looks up in which form documents are kept under a name, and changes nothing. */
export async function findForm(server: ChromaServer, name: string): Promise<EarlierForm | PlainForm | undefined> {
  const documents = await server.findCollection(name);
  if (documents === undefined) return undefined;
  if (documents.notes['form'] === FORM) return { kind: 'plain', documents, fingerprint: toFingerprint(documents) };
  if (typeof documents.notes['current'] === 'string') return findEarlier(server, documents);
  throw new ContextloomError(
    'unavailable',
    `the collection "${name}" of ${server.name} was not made by this program: choose another name in CHROMA_COLLECTION`,
  );
}

/** Lets a collection that is whole take the place of the one of the configured name; what was begun before goes on. */
async function finishSwap(server: ChromaServer, name: string): Promise<void> {
  const next = await server.findCollection(nextOf(name));
  if (next?.notes['whole'] === true) {
    await server.dropCollection(name);
    await next.rename(name);
  }
  const current = await server.findCollection(name);
  if (current?.notes['whole'] !== true) return;
  for (const replaced of String(current.notes['replaces'] ?? '').split(' ')) {
    if (replaced !== '') await server.dropCollection(replaced);
  }
  await current.setNotes({ form: FORM, filling: toFingerprint(current) });
}

/** The collections of a store. */
export interface Catalog {
  /** Opens the collection; makes an empty one where there is none. */
  open(fingerprint: string): Promise<EarlierForm | PlainForm>;
  /** The collection that is being made for a fingerprint; what was begun for another is dropped. */
  openNext(fingerprint: string): Promise<FoundCollection>;
  /** Lets the next one, which is whole, take the place of the one in use. */
  swap(replaced: EarlierForm | PlainForm): Promise<PlainForm>;
  /** Drops what was begun; it can be made again. */
  dropNext(): Promise<void>;
}

/** The collections of the store of a name; only the writer may use them. */
export function createCatalog(server: ChromaServer, name: string): Catalog {
  const findNext = () => server.findCollection(nextOf(name));
  const make = (wanted: string, fingerprint: string) =>
    server.makeCollection(wanted, { form: FORM, filling: fingerprint });
  return {
    open: async (fingerprint) => {
      await finishSwap(server, name);
      const form = await findForm(server, name);
      if (form !== undefined && (form.fingerprint === fingerprint || (await form.documents.rows.count()) > 0))
        return form;
      // One that is empty belongs to whichever embedder comes next.
      if (form !== undefined) await server.dropCollection(form.documents.name);
      if (form?.kind === 'earlier') await server.dropCollection(name);
      return { kind: 'plain', documents: await make(name, fingerprint), fingerprint };
    },
    openNext: async (fingerprint) => {
      const begun = await findNext();
      if (begun !== undefined && toFingerprint(begun) === fingerprint) return begun;
      await server.dropCollection(nextOf(name));
      return make(nextOf(name), fingerprint);
    },
    swap: async (replaced) => {
      const next = await findNext();
      if (next === undefined) throw new ContextloomError('unavailable', `${server.name} has lost "${nextOf(name)}"`);
      const fingerprint = toFingerprint(next);
      const replaces = replaced.kind === 'earlier' ? toReplaced(replaced) : '';
      await next.setNotes({ form: FORM, filling: fingerprint, whole: true, ...(replaces !== '' && { replaces }) });
      await finishSwap(server, name);
      const documents = await server.findCollection(name);
      if (documents === undefined) throw new ContextloomError('unavailable', `${server.name} has lost "${name}"`);
      return { kind: 'plain', documents, fingerprint };
    },
    dropNext: () => server.dropCollection(nextOf(name)),
  };
}

/** What the earlier form leaves behind: the collection of its documents, and one that was being made next to it. */
function toReplaced({ documents }: EarlierForm): string {
  return [documents.name, documents.notes['next'] ?? ''].join(' ').trim();
}
