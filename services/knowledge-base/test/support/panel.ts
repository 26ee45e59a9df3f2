import type { KnowledgeBase } from '../../src/domain/knowledge-base.ts';

const bench = new URL('../../bench/panel/', import.meta.url);
const files = ['sets.mjs', 'halves.mjs', 'measure.mjs', 'plain.mjs'];

/** A question of a set, and what answers it. */
export interface Question {
  readonly user: string;
  readonly question: string;
  readonly evidence: readonly string[];
}

/** Documents and questions over them. */
export interface PanelSet {
  readonly documents: readonly { readonly id: string; readonly user: string }[];
  readonly questions: readonly Question[];
}

/** What was found for each question. */
export type Answers = readonly { readonly hits: readonly { readonly id: string }[] }[];

/** The modules of the bench, which are plain JavaScript. */
export interface Bench {
  readonly panelSets: () => Readonly<Record<string, () => PanelSet | Promise<PanelSet>>>;
  readonly isHeldOut: (question: Question) => boolean;
  readonly askKnowledgeBase: (knowledgeBase: KnowledgeBase, set: PanelSet) => Promise<Answers>;
  readonly summarise: (questions: readonly Question[], answers: Answers) => Readonly<Record<'recall@10', number>>;
  readonly askBaselines: (set: PanelSet, depth: number) => Promise<ReadonlyMap<string, Answers>>;
}

/** Loads the bench that `npm run bench:panel` runs. */
export async function loadPanel(): Promise<Bench> {
  const modules = await Promise.all(files.map(async (file): Promise<object> => import(new URL(file, bench).href)));
  return Object.assign({}, ...modules) as Bench;
}

/** Makes a set of the panel. */
export async function makeSet(panel: Bench, name: string): Promise<PanelSet> {
  const make = panel.panelSets()[name];
  if (make === undefined) throw new Error(`no set ${name}`);
  return await make();
}
