// Asks every question of the knowledge base and of the baselines, over the same documents, and scores the rankings.
import { percentile } from '../../../../shared/tooling/bench-figures.mjs';
import { createBm25, createGrep, createLexicalVectors, createSessionBm25 } from './baselines.mjs';
import { score } from './statistics.mjs';
import { openStores } from './stores.mjs';

const BATCH = 500;
const TOP_K = 20;
/** Twenty turns may be of three sessions: sessions are read off a longer ranking. It is the most that a search gives. */
const TOP_K_SESSIONS = 100;
const WARM_UP = 20;

/** What the product's scores are called in tables and result files; those over the second of two stores have its name. */
export const OWN = 'knowledge base';

const baselines = { BM25: createBm25, grep: createGrep, 'lexical vectors': createLexicalVectors };
const toInput = ({ id, content, user, speaker, session, position, turn, occurredAt }) => ({
  doc_id: id,
  content,
  tags: [],
  metadata: { user_id: user, speaker, sequence: session, position, turn, occurred_at: occurredAt },
});

async function fill(knowledgeBase, documents) {
  const from = performance.now();
  for (let at = 0; at < documents.length; at += BATCH) {
    await knowledgeBase.add(documents.slice(at, at + BATCH).map(toInput));
  }
  return performance.now() - from;
}

/** The sessions of the turns, in the order of their first appearance. */
const toSessions = (turns, sessionOf) => [...new Set(turns.map((id) => sessionOf.get(id)))];

/** @param deep a longer ranking than `turns`, for the sessions */
function scoreBoth({ turns, deep }, { evidence }, sessionOf) {
  return {
    turns: score(turns, evidence),
    sessions: score(toSessions(deep, sessionOf), toSessions(evidence, sessionOf)),
  };
}

async function askKnowledgeBase(knowledgeBase, { user, question }) {
  const search = async (topK) => {
    const request = { query: question, top_k: topK, metadata_filter: { user_id: user } };
    return (await knowledgeBase.search(request)).map(({ id }) => id);
  };
  const from = performance.now();
  const turns = await search(TOP_K);
  const milliseconds = performance.now() - from;
  return { turns, deep: await search(TOP_K_SESSIONS), milliseconds };
}

/** Every question is asked of one store after the other, so that whatever else the machine does hits all of them alike. */
async function measureKnowledgeBases({ documents, questions }, sessionOf, choice) {
  const stores = await openStores(choice);
  try {
    const sides = [];
    for (const { name, knowledgeBase } of stores) {
      sides.push({ name, knowledgeBase, addMs: await fill(knowledgeBase, documents), answers: [] });
    }
    for (const asked of questions.slice(0, WARM_UP)) {
      for (const { knowledgeBase } of sides) await askKnowledgeBase(knowledgeBase, asked);
    }
    for (const asked of questions) {
      for (const { knowledgeBase, answers } of sides) answers.push(await askKnowledgeBase(knowledgeBase, asked));
    }
    return sides.map(({ name, addMs, answers }) => {
      const taken = answers.map(({ milliseconds }) => milliseconds);
      return {
        name,
        addMs,
        searchMs: { p50: percentile(taken, 0.5), p95: percentile(taken, 0.95) },
        rankings: answers.map(({ turns }) => turns),
        scores: answers.map((answer, at) => scoreBoth(answer, questions[at], sessionOf)),
      };
    });
  } finally {
    for (const { close } of stores) await close();
  }
}

/** How many rankings are the same in two stores: whole, and their first ten. */
function countAgreements([{ rankings: ours }, { rankings: theirs }]) {
  const count = (depth) =>
    ours.filter((ranking, at) => String(ranking.slice(0, depth)) === String(theirs[at].slice(0, depth))).length;
  return { first_ten: count(10), all: count(TOP_K) };
}

/** A ranking of the documents of each user, made by `create`. */
async function createSearches(create, documents) {
  const searches = new Map();
  for (const user of new Set(documents.map((document) => document.user))) {
    searches.set(user, await create(documents.filter((document) => document.user === user)));
  }
  return ({ user, question }) => searches.get(user)(question, TOP_K_SESSIONS);
}

async function measureBaselines({ documents, questions }, sessionOf) {
  const scores = {};
  for (const [name, create] of Object.entries(baselines)) {
    const search = await createSearches(create, documents);
    scores[name] = [];
    for (const asked of questions) {
      const ranking = await search(asked);
      scores[name].push(scoreBoth({ turns: ranking, deep: ranking }, asked, sessionOf));
    }
  }
  const search = await createSearches(createSessionBm25, documents);
  const name = 'BM25 over sessions';
  scores[name] = [];
  for (const asked of questions) {
    scores[name].push({ sessions: score(await search(asked), toSessions(asked.evidence, sessionOf)) });
  }
  return scores;
}

/**
 * Measures one set. Questions without evidence are left out: of them there is nothing to find.
 * @param choice the stores and the embedder of the knowledge base, as `openStores` takes them
 * @returns what was asked, each question with its scores by method, and how long the knowledge base took over each store
 */
export async function measureSet(set, choice) {
  const questions = set.questions.filter(({ evidence }) => evidence.length > 0);
  const asked = { ...set, questions };
  const sessionOf = new Map(set.documents.map(({ id, session }) => [id, session]));
  const sides = await measureKnowledgeBases(asked, sessionOf, choice);
  const methods = sides.map(({ name, scores }, at) => [at === 0 ? OWN : `${OWN}, ${name}`, scores]);
  const stores = sides.map(({ name, addMs, searchMs }, at) => ({
    name,
    method: methods[at][0],
    add_ms: addMs,
    search_ms: searchMs,
  }));
  const scores = [...methods, ...Object.entries(await measureBaselines(asked, sessionOf))];
  const count = (key) => new Set(set.documents.map((document) => document[key])).size;
  return {
    name: set.name,
    documents: set.documents.length,
    users: count('user'),
    conversations: count('conversation'),
    sessions: count('session'),
    left_out: set.questions.length - questions.length,
    add_ms: sides[0].addMs,
    search_ms: sides[0].searchMs,
    stores,
    ...(sides.length > 1 && { agreement: countAgreements(sides) }),
    questions: questions.map(({ id, question, conversation, groups }, at) => ({
      id,
      question,
      conversation,
      groups,
      scores: Object.fromEntries(scores.map(([name, rows]) => [name, rows[at]])),
    })),
  };
}
