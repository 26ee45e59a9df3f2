import { knowledgeBase, readOnly, SUPERSEDED_TAG } from '@contextloom/contracts';
import { toFactEvidence } from '../../domain/memories/fact-evidence.ts';
import type { Marks } from '../../domain/memories/marks.ts';
import { type FoundMemory, parseAnswer } from '../../domain/memories/memories.ts';
import { isEpisode, type Mark } from '../../domain/memories/prompt-memories.ts';
import type { AggregatorDeps } from '../asking/deps.ts';
import { KNOWLEDGE_BASE } from './memory-source.ts';

/** Most facts that are looked at, which is what a knowledge base lists at once. */
const MAX_FACTS = 200;
/** How often the successor of a successor is looked up. */
const MAX_HOPS = 4;

const { get_document, list_documents } = knowledgeBase;
const document = { id: true, content: true, metadata: true } as const;
const listSchema = readOnly(list_documents.output, { documents: document });
const getSchema = readOnly(get_document.output, { document });
type Document = NonNullable<ReturnType<typeof getSchema.parse>>['document'];

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

type SchemaOf<Output> = Parameters<typeof parseAnswer<Output>>[0];

/** A caller's question to the knowledge base; undefined where it cannot answer: what it cannot tell is not marked. */
type Ask = <Output>(tool: string, args: object, schema: SchemaOf<Output>) => Promise<Output | undefined>;

/** The fact that is so now, at the end of a chain of those that took each other's place. */
async function findCurrent(
  id: string,
  userId: string,
  ask: Ask,
  known: ReadonlyMap<string, Document>,
): Promise<Document | undefined> {
  let next: string | undefined = id;
  for (let hop = 0; hop < MAX_HOPS && next !== undefined; hop += 1) {
    const document: Document | undefined =
      known.get(next) ?? (await ask('get_document', { doc_id: next, user_id: userId }, getSchema))?.document;
    if (document === undefined || document.metadata['user_id'] !== userId) return undefined;
    next = textOf(document.metadata['superseded_by']);
    if (next === undefined) return document;
  }
  return undefined;
}

function toMark(fact: Document, current: Document | undefined, { sanitize }: AggregatorDeps): Mark | undefined {
  const { valid_to: validTo, superseded_by: by, superseded_how: how } = fact.metadata;
  const [until, successor] = [textOf(validTo), textOf(by)];
  if (until === undefined || successor === undefined || !/^\d{4}-\d{2}/u.test(until)) return undefined;
  const said = current === undefined ? undefined : sanitize(current.content, { hasSpeakers: false });
  const now = said === undefined || said.held > 0 || said.text.trim() === '' ? undefined : said.text.trim();
  const evidence = current === undefined ? undefined : toFactEvidence({ ...current, tags: [] });
  return {
    until: until.slice(0, 7),
    now,
    isCorrection: how === 'corrects',
    by: {
      memory: evidence?.episode ?? current?.id ?? successor,
      turn: evidence === undefined ? 0 : evidence.turns.at(-1),
    },
  };
}

/**
 * What of episodes is over by the facts that a model drew from them: those that another fact took the place of. Nothing where the knowledge
 * base cannot tell.
 */
export async function findSuperseded(
  memories: readonly FoundMemory[],
  userId: string,
  deps: AggregatorDeps,
  signal: AbortSignal,
): Promise<Marks> {
  const episodes = memories.flatMap((memory) => (isEpisode(memory) && memory.id !== '' ? [memory.id] : []));
  const marks = new Map<string, Map<number, Mark>>();
  if (episodes.length === 0) return marks;
  const ask: Ask = async (tool, args, schema) => {
    const options = { timeoutMs: deps.deadlines.sourceMs, signal };
    const result = await deps.upstreams.call(KNOWLEDGE_BASE, tool, JSON.parse(JSON.stringify(args)), options);
    return result.kind === 'ok' ? parseAnswer(schema, result.value) : undefined;
  };
  const filter = { user_id: userId, episode: { $in: [...new Set(episodes)] } };
  const list = { tags: [SUPERSEDED_TAG], metadata_filter: filter, limit: MAX_FACTS };
  const facts = ((await ask('list_documents', list, listSchema))?.documents ?? []).filter(
    ({ metadata }) => metadata['user_id'] === userId,
  );
  const known = new Map(facts.map((fact) => [fact.id, fact]));
  const successors = new Map<string, Promise<Document | undefined>>();
  for (const { metadata } of facts) {
    const by = textOf(metadata['superseded_by']);
    if (by !== undefined && !successors.has(by)) successors.set(by, findCurrent(by, userId, ask, known));
  }
  for (const fact of facts) {
    const evidence = toFactEvidence({ ...fact, tags: [] });
    const mark = toMark(fact, await successors.get(String(fact.metadata['superseded_by'])), deps);
    if (evidence === undefined || mark === undefined) continue;
    const ofEpisode = marks.get(evidence.episode) ?? new Map<number, Mark>();
    for (const turn of evidence.turns) ofEpisode.set(turn, mark);
    marks.set(evidence.episode, ofEpisode);
  }
  return marks;
}
