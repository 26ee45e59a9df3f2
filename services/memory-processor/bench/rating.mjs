// How well ratings tell the turns that questions are asked about later from the rest, in conversations of LoCoMo's form.
// For people, not for CI.
//
//   npm run bench:rating -- <file>
//
// The area under the ROC curve, for each conversation and over all of their turns; 0.5 is chance. "Left out" ratings count
// with weights that were fitted on the other conversations; the weights fitted on all are printed last.
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { countDetails, details, toDetail } from '../build/domain/rating/detail.js';
import { rateWindow } from '../build/domain/rating/importance.js';
import { areaUnderCurve, fitWeights } from './regression.mjs';

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('usage: npm run bench:rating -- <file of conversations and questions in the form of LoCoMo>\n');
  process.exit(2);
}

function toConversation({ sample_id: id, conversation, qa }) {
  // Some entries of evidence are malformed ("D8:6; D9:17", "D30:05").
  const evidence = new Set(
    qa.flatMap(({ evidence: entries = [] }) =>
      entries.flatMap((entry) => [...entry.matchAll(/D:?(\d+):(\d+)/g)].map(([, a, b]) => `D${+a}:${+b}`)),
    ),
  );
  const speakers = [conversation.speaker_a, conversation.speaker_b];
  const turns = Object.values(conversation)
    .filter(Array.isArray)
    .flatMap((session) => {
      const said = session.map(({ speaker, text, dia_id: label }) => ({ speaker, text, label, voice: 'person' }));
      return said.map((turn, at) => ({
        turn,
        before: said[at - 1],
        speakers,
        counts: countDetails(turn.text),
        isAskedAbout: evidence.has(turn.label),
      }));
    });
  return { id, turns };
}

const rate = ({ turn, before, speakers }, weights) =>
  rateWindow({ turns: [turn] }, { speakers, before, weights }).importance;
const fit = (turns) =>
  fitWeights(
    turns.map(({ counts }) => counts),
    turns.map(({ isAskedAbout }) => isAskedAbout),
  );

const conversations = JSON.parse(await readFile(file, 'utf8')).map(toConversation);
const all = conversations.flatMap(({ turns }) => turns);
for (const { turns } of conversations) {
  const weights = fit(conversations.filter((other) => other.turns !== turns).flatMap((other) => other.turns));
  for (const turn of turns) turn.weights = weights;
}

const scorers = {
  'turn length': ({ turn }) => turn.text.length,
  'word counting, left out': ({ counts, weights }) => toDetail(counts, weights),
  'importance, left out': (turn) => rate(turn, turn.weights),
  'importance as shipped': (turn) => rate(turn),
};
const labelled = (turns, scorer) => areaUnderCurve(turns.map((turn) => [scorer(turn), turn.isAskedAbout]));
process.stdout.write(`${all.length} turns, ${all.filter(({ isAskedAbout }) => isAskedAbout).length} asked about\n`);
for (const [name, scorer] of Object.entries(scorers)) {
  const each = conversations.map(({ id, turns }) => `${id} ${labelled(turns, scorer).toFixed(3)}`);
  process.stdout.write(`${name.padEnd(25)} ${labelled(all, scorer).toFixed(3)}  (${each.join(', ')})\n`);
}
const weights = fit(all).map((weight) => weight.toFixed(2));
process.stdout.write(`weights: ${[...details, 'constant'].map((name, at) => `${name} ${weights[at]}`).join(', ')}\n`);
