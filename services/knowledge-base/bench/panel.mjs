// Whether search holds on data of many shapes: the knowledge base next to the plainest baselines, set by set.
//
//   npm run bench:panel -- [--locomo FILE] [--beam FOLDER] [--squad FILE ...] [--qmsum FOLDER] [--sets a,b] [--held-out] [--json FILE] [--compare FILE]
//                          [--encoder] [--peers] [--ablate file:::from:::to ...]
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { gradeHits } from '@contextloom/retrieval/ranking';
import { readSettings } from '@contextloom/runtime';
import { storeSettings } from '../build/config.js';
import { runAblations } from './panel/ablation.mjs';
import { isHeldOut } from './panel/halves.mjs';
import { askKnowledgeBase, DEPTH, summarise, toAuc, toReliability, toSureness } from './panel/measure.mjs';
import { askPeers } from './panel/peers.mjs';
import { askBaselines } from './panel/plain.mjs';
import { printCertainty, printConditions, printDifference, printPanel, printPlain } from './panel/print.mjs';
import { panelSets } from './panel/sets.mjs';
import { openStores } from './recall/stores.mjs';

const { values: flags } = parseArgs({
  options: {
    locomo: { type: 'string' },
    beam: { type: 'string' },
    squad: { type: 'string', multiple: true, default: [] },
    qmsum: { type: 'string' },
    sets: { type: 'string' },
    // The half that is looked at once, at the end.
    'held-out': { type: 'boolean', default: false },
    json: { type: 'string' },
    // The file that an earlier run wrote: what has changed since.
    compare: { type: 'string' },
    // With the vectors of a small English encoder, on the English sets.
    encoder: { type: 'boolean', default: false },
    // Other memories with the same encoder, installed on demand.
    peers: { type: 'boolean', default: false },
    // What one change of a built file makes of every set: file:::from:::to.
    ablate: { type: 'string', multiple: true, default: [] },
    // Ours alone, without the baselines: for ablations.
    'ours-alone': { type: 'boolean', default: false },
  },
});

function chooseSets() {
  const sets = panelSets(flags);
  const isMeant = (name) => !(flags.encoder || flags.peers) || !name.endsWith('-zh');
  const names = flags.sets?.split(',') ?? Object.keys(sets).filter(isMeant);
  const unknown = names.filter((name) => !Object.hasOwn(sets, name));
  if (unknown.length > 0) throw new Error(`--sets: no ${unknown}; there are ${Object.keys(sets).join(', ')}`);
  return names.map((name) => ({ name, make: sets[name] }));
}

/** A set with the questions of one half. */
async function toHalf({ name, make }) {
  const { documents, questions } = await make();
  return { name, documents, questions: questions.filter((one) => isHeldOut(one) === flags['held-out']) };
}

async function askOurs(set, embedding) {
  const [{ knowledgeBase, close }] = await openStores({ store: 'embedded', embedding });
  try {
    return await askKnowledgeBase(knowledgeBase, set);
  } finally {
    await close();
  }
}

/** Of the hits of a search those that `recall` tells a model. */
function toTold(hits) {
  const { minRelevance = Number.POSITIVE_INFINITY, most } = gradeHits(hits.map(({ score }) => score)) ?? {};
  return hits.filter(({ score }) => score >= minRelevance).slice(0, most?.passages);
}

async function measure(set, embedding) {
  const { name, documents, questions } = set;
  const answers = await askOurs(set, embedding);
  const plain = flags['ours-alone'] ? [] : await askBaselines(set, DEPTH, embedding);
  const peers = flags.peers ? await askPeers(set, DEPTH, { plain, embedding }) : [];
  const toSummaries = (answersOf) =>
    Object.fromEntries([...answersOf].map(([method, given]) => [method, summarise(questions, given)]));
  const answerable = questions.filter(({ evidence }) => evidence.length > 0).length;
  process.stderr.write(`${name}\n`);
  return {
    name,
    counts: { documents: documents.length, answerable, unanswerable: questions.length - answerable },
    ours: summarise(questions, answers, toTold),
    plain: toSummaries(plain),
    peers: toSummaries(peers),
    auc: toAuc(questions, answers),
    aucTogether: toAuc(questions, answers, toSureness),
    reliability: toReliability(questions, answers),
    questions: questions.map(({ id, evidence }, at) => ({ id, evidence, hits: answers[at].hits })),
  };
}

/** The encoder; its vectors are those of any endpoint of that kind. */
async function openEncoder() {
  const { startEncoder } = await import('../../../shared/tooling/encoder.mjs');
  const { settings, close } = await startEncoder();
  const { values } = readSettings(storeSettings, settings);
  return {
    embedding: Object.fromEntries(Object.entries(values).filter(([key]) => key.startsWith('embedding'))),
    close,
  };
}

async function run() {
  const { embedding, close } =
    flags.encoder || flags.peers ? await openEncoder() : { embedding: {}, close: () => undefined };
  const measured = [];
  try {
    for (const chosen of chooseSets()) measured.push(await measure(await toHalf(chosen), embedding));
  } finally {
    close();
  }
  const half = flags['held-out'] ? 'held-out halves' : 'dev halves';
  if (!flags['ours-alone']) {
    printPanel(measured);
    printPlain(measured);
    printCertainty(measured);
    printConditions({ half, embedder: embedding.embeddingModel ?? 'lexical' });
  }
  if (flags.compare !== undefined) {
    const earlier = JSON.parse(await readFile(flags.compare, 'utf8'));
    printDifference(`Now less ${flags.compare}`, earlier.sets, measured);
  }
  if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify({ half, sets: measured })}\n`);
}

/** The flags that choose what is measured, for a run of its own. */
const toFlags = () => [
  ...['locomo', 'beam', 'qmsum', 'sets'].flatMap((name) =>
    flags[name] === undefined ? [] : [`--${name}`, flags[name]],
  ),
  ...flags.squad.flatMap((file) => ['--squad', file]),
  ...['held-out', 'encoder'].flatMap((name) => (flags[name] ? [`--${name}`] : [])),
];

if (flags.ablate.length === 0) await run();
else await runAblations(flags.ablate, toFlags());
