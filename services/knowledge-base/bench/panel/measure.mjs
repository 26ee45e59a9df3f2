// Asks a knowledge base the questions of a set, and says of any answers how good they are.
import { setTimeout } from 'node:timers/promises';
import { percentile } from '../../../../shared/tooling/bench-figures.mjs';

/** How many hits are asked for; mrr is over all of them. */
export const DEPTH = 20;
const BATCH = 500;
const WARM_UP = 10;
/** How often it is looked whether an embedder that takes longer than a call may is done. */
const LOOK_MS = 1_000;

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** How surely a hit answers: what the search says of it, in [0, 1]. */
const toCertainty = ({ relevance, score }) => relevance ?? score;

async function ask(knowledgeBase, { user, question }) {
  const from = performance.now();
  const request = { query: question, top_k: DEPTH, metadata_filter: { user_id: user } };
  const { results, nearest_score: nearest = 0 } = await knowledgeBase.find(request);
  const milliseconds = performance.now() - from;
  const hits = results.map((hit) => ({ id: hit.id, score: toCertainty(hit) }));
  return { hits, milliseconds, best: hits.reduce((most, { score }) => Math.max(most, score), nearest) };
}

/** Adds the documents of a set to an empty knowledge base and asks its questions: one answer for each. */
export async function askKnowledgeBase(knowledgeBase, { documents, questions }) {
  for (let at = 0; at < documents.length; at += BATCH) {
    const batch = documents.slice(at, at + BATCH);
    await knowledgeBase.add(batch.map(({ id, content, tags, metadata }) => ({ doc_id: id, content, tags, metadata })));
  }
  while ((await knowledgeBase.countWaiting()) > 0) await setTimeout(LOOK_MS);
  for (const question of questions.slice(0, WARM_UP)) await ask(knowledgeBase, question);
  const answers = [];
  for (const question of questions) answers.push(await ask(knowledgeBase, question));
  return answers;
}

/** The share of the evidence among the first hits of one question. */
function toRecall({ hits }, { evidence }, depth) {
  const first = new Set(hits.slice(0, depth).map(({ id }) => id));
  return evidence.filter((id) => first.has(id)).length / evidence.length;
}

function toReciprocalRank({ hits }, { evidence }) {
  const at = hits.findIndex(({ id }) => evidence.includes(id));
  return at === -1 ? 0 : 1 / (at + 1);
}

/**
 * What is measured of one method on one set. `noise` is the share of the questions that nothing answers with a hit all the same,
 * `precision` the share of evidence among all hits of the questions that something answers.
 * @param toTold the hits of a search that a model gets; order is measured by all of them
 */
export function summarise(questions, answers, toTold = (hits) => hits) {
  const pairs = questions.map((question, at) => ({ question, answer: answers[at] }));
  const answerable = pairs.filter(({ question }) => question.evidence.length > 0);
  const unanswerable = pairs.filter(({ question }) => question.evidence.length === 0);
  const meanOf = (measure) => mean(answerable.map(({ question, answer }) => measure(answer, question)));
  const told = answerable.flatMap(({ question, answer }) =>
    toTold(answer.hits).map(({ id }) => (question.evidence.includes(id) ? 1 : 0)),
  );
  return {
    'recall@5': meanOf((answer, question) => toRecall(answer, question, 5)),
    'recall@10': meanOf((answer, question) => toRecall(answer, question, 10)),
    mrr: meanOf(toReciprocalRank),
    noise: mean(unanswerable.map(({ answer }) => (toTold(answer.hits).length > 0 ? 1 : 0))),
    precision: mean(told),
    p50: percentile(
      answers.map(({ milliseconds }) => milliseconds),
      0.5,
    ),
  };
}

/** How sure it is that one of the hits answers. */
export const toSureness = ({ hits }) => hits.reduce((sum, { score }) => sum + score, 0);

/**
 * The chance that a question which something answers has a surer best hit than one which nothing answers, or hits that are surer
 * together; ties count half.
 */
export function toAuc(questions, answers, toCertain = ({ best }) => best) {
  const best = (isMeant) => answers.filter((_, at) => isMeant(questions[at])).map(toCertain);
  const [sure, unsure] = [best(({ evidence }) => evidence.length > 0), best(({ evidence }) => evidence.length === 0)];
  if (sure.length === 0 || unsure.length === 0) return undefined;
  const wins = sure.map((one) => mean(unsure.map((other) => (one > other ? 1 : one === other ? 0.5 : 0))));
  return mean(wins);
}

/**
 * How often hits of a relevance answer, by tenths: of the best hit of each question, and of the first ten; those of questions that nothing
 * answers among them.
 */
export function toReliability(questions, answers) {
  const bins = Array.from({ length: 10 }, () => ({ first: 0, firstRight: 0, hits: 0, right: 0 }));
  for (const [at, { hits }] of answers.entries()) {
    const { evidence } = questions[at];
    for (const [rank, { id, score }] of hits.slice(0, 10).entries()) {
      const bin = bins[Math.min(9, Math.max(0, Math.floor(score * 10)))];
      const isRight = evidence.includes(id) ? 1 : 0;
      if (rank === 0) {
        bin.first += 1;
        bin.firstRight += isRight;
      }
      bin.hits += 1;
      bin.right += isRight;
    }
  }
  return bins;
}
