import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeBase } from '../src/domain/knowledge-base.ts';
import { openTemporary, type TemporaryKnowledgeBase } from './support/service.ts';

const bench = new URL('../bench/panel/', import.meta.url);
const load = async <T>(file: string): Promise<T> => (await import(new URL(file, bench).href)) as T;

interface Question {
  readonly user: string;
  readonly question: string;
  readonly evidence: readonly string[];
}

interface PanelSet {
  readonly documents: readonly { readonly id: string; readonly user: string }[];
  readonly questions: readonly Question[];
}

type Answers = readonly { readonly hits: readonly { readonly id: string }[] }[];

interface Bench {
  readonly panelSets: () => Readonly<Record<string, () => PanelSet | Promise<PanelSet>>>;
  readonly isHeldOut: (question: Question) => boolean;
  readonly askKnowledgeBase: (knowledgeBase: KnowledgeBase, set: PanelSet) => Promise<Answers>;
  readonly summarise: (questions: readonly Question[], answers: Answers) => Readonly<Record<'recall@10', number>>;
  readonly askBaselines: (set: PanelSet, depth: number) => Promise<ReadonlyMap<string, Answers>>;
}

const files = ['sets.mjs', 'halves.mjs', 'measure.mjs', 'plain.mjs'];
const DEPTH = 20;
const LEAST_LEAD = -0.01;
const names = [
  'facts-en',
  'facts-zh',
  'chats-en',
  'chats-zh',
  'group-chat',
  'decisions',
  'notes',
  'logs-en',
  'logs-zh',
  'long-en',
  'long-zh',
];
/** Those that take seconds; `npm run bench:panel` has all of them. */
const searched = ['facts-zh', 'group-chat', 'notes', 'logs-zh'];

let panel: Bench;
let opened: TemporaryKnowledgeBase;
beforeAll(async () => {
  panel = Object.assign({}, ...(await Promise.all(files.map((file) => load<object>(file))))) as Bench;
  opened = await openTemporary();
});
afterAll(() => opened.remove());

async function make(name: string): Promise<PanelSet> {
  const maker = panel.panelSets()[name];
  if (maker === undefined) throw new Error(`no set ${name}`);
  return await maker();
}

/** A set with those questions of the half that may be looked at which something answers: of fewer, one is more than a hundredth. */
async function cut(name: string): Promise<PanelSet> {
  const { documents, questions } = await make(name);
  return { documents, questions: questions.filter((one) => one.evidence.length > 0 && !panel.isHeldOut(one)) };
}

describe('the sets of the panel', () => {
  it.each(names)('have evidence that is there, and enough questions in both halves: %s', async (name) => {
    const { documents, questions } = await make(name);
    const ids = new Set(documents.map(({ id }) => id));
    expect(ids.size).toBe(documents.length);
    expect(questions.flatMap(({ evidence }) => evidence.filter((id) => !ids.has(id)))).toEqual([]);
    expect(new Set(questions.map(({ user, question }) => `${user} ${question}`)).size).toBe(questions.length);
    for (const half of [true, false]) {
      const own = questions.filter((one) => panel.isHeldOut(one) === half);
      expect(own.filter(({ evidence }) => evidence.length > 0).length).toBeGreaterThan(90);
      expect(own.filter(({ evidence }) => evidence.length === 0).length).toBeGreaterThan(20);
    }
  });

  it('are the same at every run', async () => {
    for (const name of names) expect(await make(name)).toEqual(await make(name));
  });
});

describe('a search, of four shapes of text', () => {
  it.each(searched)('finds no less than the best plain baseline: %s', async (name) => {
    const set = await cut(name);
    const recallOf = (answers: Answers): number => panel.summarise(set.questions, answers)['recall@10'];
    const ours = recallOf(await panel.askKnowledgeBase(opened.knowledgeBase, set));
    const plain = [...(await panel.askBaselines(set, DEPTH))].map(([, answers]) => recallOf(answers));
    expect(ours - Math.max(...plain)).toBeGreaterThanOrEqual(LEAST_LEAD);
  });
});
