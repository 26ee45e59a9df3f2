import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answers, type Bench, loadPanel, makeSet, type PanelSet } from './support/panel.ts';
import { openTemporary, type TemporaryKnowledgeBase } from './support/service.ts';

const DEPTH = 20;
const LEAST_LEAD = -0.01;
/** Those that take seconds; `npm run bench:panel` has all of them. */
const searched = ['facts-zh', 'group-chat', 'notes', 'logs-zh'];

let panel: Bench;
let opened: TemporaryKnowledgeBase;
beforeAll(async () => {
  panel = await loadPanel();
  opened = await openTemporary();
});
afterAll(() => opened.remove());

/** A set with those questions of the half that may be looked at which something answers: of fewer, one is more than a hundredth. */
async function cut(name: string): Promise<PanelSet> {
  const { documents, questions } = await makeSet(panel, name);
  return { documents, questions: questions.filter((one) => one.evidence.length > 0 && !panel.isHeldOut(one)) };
}

describe('a search, of four shapes of text', () => {
  it.each(searched)('finds no less than the best plain baseline: %s', async (name) => {
    const set = await cut(name);
    const recallOf = (answers: Answers): number => panel.summarise(set.questions, answers)['recall@10'];
    const ours = recallOf(await panel.askKnowledgeBase(opened.knowledgeBase, set));
    const plain = [...(await panel.askBaselines(set, DEPTH))].map(([, answers]) => recallOf(answers));
    expect(ours - Math.max(...plain)).toBeGreaterThanOrEqual(LEAST_LEAD);
  });
});
