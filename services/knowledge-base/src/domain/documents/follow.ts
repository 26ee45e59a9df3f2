import {
  type Consequence,
  EPISODE_KEY,
  readRetraction,
  readSaidAgain,
  readSources,
  SOURCE_CHANGED_KEY,
  type SourceChange,
  type StoredDocument,
  TYPED_TAG,
  toConsequenceText,
  toDocumentAddresses,
} from '@contextloom/contracts';
import type { RowCondition } from '@contextloom/retrieval/filter';
import type { KeyedDocument } from '../store.ts';
import {
  type ChangedSource,
  isSaidIn,
  saysAgain,
  stillStands,
  toLessAgain,
  toMarked,
  toOtherEpisode,
  toUnmarked,
  withoutSources,
} from './rests-on.ts';
import { isDrawnFrom, isEpisodeOf, isSaidAgain } from './sources.ts';

/** What following a change works with: the documents of one owner. */
export interface FollowDeps {
  readonly list: (condition: RowCondition) => Promise<readonly StoredDocument[]>;
  /** Changes a document as it is by then, unless it is gone. */
  readonly change: (id: string, to: (document: KeyedDocument) => KeyedDocument) => Promise<void>;
  /** Removes a document for good, with what repeats its words. */
  readonly erase: (document: StoredDocument) => Promise<void>;
  readonly at: string;
}

/** How a change is followed. */
export interface FollowOptions {
  readonly change: SourceChange;
  readonly isDryRun: boolean;
}

/** What becomes of one document; `to` is how it changes. */
interface Verdict {
  readonly what: Consequence['what'];
  readonly sourcesLeft?: number;
  readonly to?: (document: KeyedDocument) => KeyedDocument;
}

/** The memories that are gone so far, by their addresses. */
type Gone = ReadonlySet<string>;

/** The document itself where it is changed to none. */
const orSame =
  (to: (document: KeyedDocument) => KeyedDocument | undefined) =>
  (document: KeyedDocument): KeyedDocument =>
    to(document) ?? document;

/** Another episode that says what a document says, of those that are there. */
async function findOtherEpisode(drawn: StoredDocument, gone: Gone, { list }: FollowDeps) {
  for (const again of readSaidAgain(drawn.metadata)) {
    const episodes = await list(isEpisodeOf(again.transcript));
    const other = episodes.find((one) => !gone.has(`note:${one.id}`) && isSaidIn(again, one));
    if (other !== undefined) return { other, again };
  }
  return undefined;
}

async function judgeForgotten(
  drawn: StoredDocument,
  { before }: ChangedSource,
  gone: Gone,
  deps: FollowDeps,
): Promise<Verdict> {
  const left = readSources(drawn.metadata).filter((address) => !gone.has(address)).length;
  const again = readSaidAgain(drawn.metadata).length;
  const { [EPISODE_KEY]: episode } = drawn.metadata;
  const isOrphan = typeof episode === 'string' && gone.has(`note:${episode}`);
  const to = (document: KeyedDocument): KeyedDocument => withoutSources(document, gone, before);
  const found = isOrphan ? await findOtherEpisode(drawn, gone, deps) : undefined;
  if (found !== undefined) {
    const { other, again: said } = found;
    return { what: 'kept', sourcesLeft: left + again, to: (one) => toOtherEpisode(to(one), other, said) };
  }
  // What a person put into their own words is theirs.
  if (left > 0 || readRetraction(drawn.metadata) === 'corrected') return { what: 'kept', sourcesLeft: left, to };
  return { what: 'removed' };
}

function judgeCorrected(drawn: StoredDocument, source: ChangedSource, { at }: FollowDeps): Verdict | undefined {
  const isMarked = drawn.metadata[SOURCE_CHANGED_KEY] !== undefined;
  if (isMarked) return saysAgain(drawn, source) ? { what: 'restored', to: toUnmarked } : undefined;
  if (stillStands(drawn, source)) return undefined;
  const left = readSources(drawn.metadata).filter((address) => !source.addresses.includes(address)).length;
  if (left > 0) {
    const addresses = new Set(source.addresses);
    return { what: 'kept', sourcesLeft: left, to: (document) => withoutSources(document, addresses, source.before) };
  }
  if (readRetraction(drawn.metadata) === 'corrected') return { what: 'kept', sourcesLeft: left };
  return { what: 'marked', to: (document) => toMarked(document, source, at) };
}

/** Those that say the same as an episode that is gone, and were drawn from another one. */
async function* listLess({ before }: ChangedSource, { list }: FollowDeps): AsyncGenerator<[StoredDocument, Verdict]> {
  if (before?.metadata['memory_type'] !== 'episode') return;
  for (const drawn of await list(isSaidAgain)) {
    if (drawn.metadata[EPISODE_KEY] === before.id || toLessAgain(drawn, before) === undefined) continue;
    const sourcesLeft = readSources(drawn.metadata).length + readSaidAgain(drawn.metadata).length - 1;
    yield [drawn, { what: 'kept', sourcesLeft, to: orSame((document) => toLessAgain(document, before)) }];
  }
}

const toConsequence = (document: StoredDocument, { what, sourcesLeft }: Verdict, isDryRun: boolean): Consequence => ({
  id: document.tags.some((tag) => tag.startsWith(TYPED_TAG)) ? `typed:${document.id}` : `note:${document.id}`,
  what,
  ...((isDryRun || what !== 'removed') && { text: toConsequenceText(document.content) }),
  ...(sourcesLeft !== undefined && { sources_left: sourcesLeft }),
});

/**
 * Follows a change of sources to what was drawn from them, and on to what was drawn from that. What rests on others too, or was put into
 * words by a person, stays.
 */
export async function followSources(
  sources: readonly ChangedSource[],
  { change, isDryRun }: FollowOptions,
  deps: FollowDeps,
): Promise<readonly Consequence[]> {
  const gone = new Set(sources.flatMap(({ addresses }) => addresses));
  const consequences = new Map<string, Consequence>();
  const settle = async (drawn: StoredDocument, verdict: Verdict): Promise<void> => {
    consequences.set(drawn.id, toConsequence(drawn, verdict, isDryRun));
    if (isDryRun) return;
    if (verdict.what === 'removed') await deps.erase(drawn);
    else if (verdict.to !== undefined) await deps.change(drawn.id, verdict.to);
  };
  const left = [...sources];
  for (let source = left.shift(); source !== undefined; source = left.shift()) {
    for (const drawn of await deps.list(isDrawnFrom(source.addresses))) {
      const addresses = toDocumentAddresses(drawn.id);
      if (addresses.some((address) => gone.has(address))) continue;
      const verdict =
        change === 'forgotten' ? await judgeForgotten(drawn, source, gone, deps) : judgeCorrected(drawn, source, deps);
      if (verdict === undefined) continue;
      if (verdict.what === 'removed' || verdict.what === 'marked') {
        for (const address of addresses) gone.add(address);
        left.push({ addresses, before: drawn });
      } else if (verdict.what === 'restored') left.push({ addresses, before: drawn, after: drawn });
      await settle(drawn, verdict);
    }
    if (change === 'forgotten')
      for await (const [drawn, verdict] of listLess(source, deps)) await settle(drawn, verdict);
  }
  return [...consequences.values()];
}
