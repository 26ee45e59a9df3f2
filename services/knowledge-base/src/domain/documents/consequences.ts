import {
  type Consequence,
  DECISION_TAG,
  EPISODE_KEY,
  type FollowRequest,
  type JsonObject,
  type StoredDocument,
  toDocumentAddresses,
} from '@contextloom/contracts';
import { allOf, always, hasEveryTag, type RowCondition } from '@contextloom/retrieval/filter';
import type { DocumentStore, KeyedDocument, StoredRecord } from '../store.ts';
import { type Backoff, untilUncontended } from './contention.ts';
import { followSources } from './follow.ts';
import type { ChangedSource } from './rests-on.ts';
import { OWNER_KEY, toOwnerText } from './scope.ts';
import { toSourceIds, withSourceTrust } from './source-trust.ts';
import { isDecisionAbout, toAddressesOf } from './sources.ts';

/** What stands where the words of a memory were that is gone. */
const NO_WORDS = '—';

/** The episode that is found by a fact's words. */
function readEpisodeOf({ metadata }: KeyedDocument): string | undefined {
  const { [EPISODE_KEY]: episode } = metadata;
  return typeof episode === 'string' && episode !== '' ? episode : undefined;
}

/** A document with other words among its keys, or without them; undefined where it does not have them. */
function toReworded(document: KeyedDocument, from: string, to?: string): KeyedDocument | undefined {
  const { keys = [] } = document;
  if (!keys.includes(from)) return undefined;
  return { ...document, keys: [...new Set(keys.flatMap((key) => (key === from ? (to ?? []) : key)))] };
}

const textOf = (metadata: JsonObject, key: string): string => String(metadata[key] ?? '');

/** A decision without the words of a fact that is gone; of two that said the same neither stays. */
function withoutFact(decision: KeyedDocument, fact: string): KeyedDocument {
  if (!decision.tags.includes(DECISION_TAG)) return decision;
  const { unstored: _, ...metadata } = decision.metadata;
  const isSame = metadata['relation'] === 'same';
  const said = isSame || metadata['fact'] === fact ? NO_WORDS : textOf(metadata, 'fact_text');
  const known = isSame || metadata['known'] === fact ? NO_WORDS : textOf(metadata, 'known_text');
  return {
    ...decision,
    content: `${textOf(metadata, 'relation')}: ${said}\n${known}`,
    metadata: { ...metadata, fact_text: said, known_text: known },
  };
}

/** What consequences are followed with. */
export interface ConsequencesOptions {
  readonly store: DocumentStore;
  readonly clock: () => Date;
  readonly backoff?: Backoff | undefined;
  /** Writes a changed document over one that is still as it was read. */
  readonly replace: (record: StoredRecord, after: KeyedDocument, at: string) => Promise<object | 'stale'>;
  /** Removes one document, without a mark of its own. */
  readonly remove: (id: string, owner: string) => Promise<void>;
}

/** Follows what happens to documents to what was drawn from them. */
export interface Consequences {
  /** Before a document is removed: what rested on it alone goes first, so that a call that was cut off can be made again. */
  readonly beforeRemoval: (document: StoredDocument) => Promise<readonly Consequence[]>;
  /** After a document was given other words. */
  readonly afterChange: (before: StoredDocument, after: StoredDocument) => Promise<readonly Consequence[]>;
  readonly follow: (request: FollowRequest) => Promise<readonly Consequence[]>;
}

const PAGE = 200;
const ownerOf = ({ metadata }: KeyedDocument): string => toOwnerText(metadata[OWNER_KEY] ?? null);

/** Opens the documents of one owner. */
function openOwner(owner: string, { store, clock, backoff, replace, remove }: ConsequencesOptions) {
  const at = clock().toISOString();
  const visible = { kind: 'owners', owners: [owner] } as const;
  const readRecords = (ids: readonly string[]) => store.read(ids, { visible, condition: always });
  const read = async (id: string): Promise<StoredRecord | undefined> => (await readRecords([id]))[0];
  const readAll = async (ids: readonly string[]): Promise<readonly KeyedDocument[]> =>
    ids.length === 0 ? [] : (await readRecords(ids)).map(({ document }) => document);
  const list = async (condition: RowCondition): Promise<readonly StoredDocument[]> => {
    const all: StoredDocument[] = [];
    for (;;) {
      const last = all.at(-1);
      const after = last && { id: last.id, importance: undefined, time: 0, updatedAt: last.updated_at };
      const page = await store.list({ visible, condition }, { limit: PAGE, sort: 'updated', ...(after && { after }) });
      all.push(...page.documents);
      if (!page.more) return all;
    }
  };
  const change = async (id: string, to: (document: KeyedDocument) => KeyedDocument | undefined): Promise<void> => {
    await untilUncontended(async () => {
      const record = await read(id);
      const after = record && to(record.document);
      if (record === undefined || after === undefined) return {};
      const [trusted = after] = withSourceTrust([after], await readAll(toSourceIds([after])));
      return replace(record, trusted, at);
    }, backoff);
  };
  /** What else has the words of a fact: the episode that is found by them, and decisions about it. */
  const clean = async (document: StoredDocument): Promise<void> => {
    const episode = readEpisodeOf(document);
    if (episode === undefined) return;
    await change(episode, (found) => toReworded(found, document.content));
    const decisions = await list(allOf([hasEveryTag([DECISION_TAG]), isDecisionAbout(document.id)]));
    for (const { id } of decisions) await change(id, (decision) => withoutFact(decision, document.id));
  };
  const erase = async (document: StoredDocument): Promise<void> => {
    await clean(document);
    await remove(document.id, owner);
  };
  return { deps: { list, change, erase, at }, change, clean, read };
}

/** Builds what follows changes through the documents of one owner. */
export function createConsequences(options: ConsequencesOptions): Consequences {
  const open = (owner: string) => openOwner(owner, options);
  const toSource = ({ id }: StoredDocument) => ({ addresses: toDocumentAddresses(id) });

  return {
    beforeRemoval: async (document) => {
      const { deps, clean } = open(ownerOf(document));
      const source = { ...toSource(document), before: document };
      const followed = await followSources([source], { change: 'forgotten', isDryRun: false }, deps);
      await clean(document);
      return followed;
    },
    afterChange: async (before, after) => {
      if (before.content === after.content) return [];
      const { deps, change } = open(ownerOf(before));
      const episode = readEpisodeOf(before);
      if (episode !== undefined) await change(episode, (found) => toReworded(found, before.content, after.content));
      const source = { ...toSource(before), before, after };
      return followSources([source], { change: 'corrected', isDryRun: false }, deps);
    },
    follow: async ({ userId, sources, now, ...options }) => {
      const { deps, read } = open(toOwnerText(userId));
      const changed = await Promise.all(
        sources.map(async (address): Promise<ChangedSource> => {
          const addresses = toAddressesOf(address);
          const record = addresses.length === 1 ? undefined : await read(address.slice(address.indexOf(':') + 1));
          const before = record?.document;
          // What it would say is known before it says it: a dry run tells what follows from that.
          const isRestated = before !== undefined && now !== undefined && sources.length === 1;
          return { addresses, before, after: isRestated ? { ...before, content: now } : undefined };
        }),
      );
      return followSources(changed, options, deps);
    },
  };
}
