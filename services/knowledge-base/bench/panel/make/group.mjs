// A group chat: short turns of six people who talk about several things at once, and answer each other in a word or two.
import { hash } from '../halves.mjs';
import { createChoices, names, readLines, readTopics, toFact, toPerson } from './kit.mjs';

const GROUPS = 3;
const EVENINGS = 24;
const ASKED = 75;
/** Of all topics, one in so many is never spoken of. */
const UNKNOWN = 7;
/** Questions of things that somebody else told; twice as many are of things that nobody spoke of. */
const NEAR_MISSES = 8;
const FIRST_DAY = Date.UTC(2024, 2, 1, 19);
const DAY_MS = 86_400_000;

const answers = [
  (value) => `${value}.`,
  (value, by) => `${value}, ${by}.`,
  (value) => `You won't believe it: ${value}.`,
  (value) => `Still ${value}, why?`,
  (value) => `${value}. Long story.`,
];

/** A question of the user about themselves as one asks somebody else. */
function toSecondPerson(question) {
  return question
    .replace(/\b(?:am|was) I\b/gu, (pair) => (pair.startsWith('am') ? 'are you' : 'were you'))
    .replace(/\b(?:I|me)\b/gu, 'you')
    .replace(/\bmine\b/gu, 'yours')
    .replace(/\bmy\b/gu, 'your');
}

/** The turns of one exchange: somebody is asked and answers, or tells of it unasked. The one with the answer is marked. */
function toExchange({ speaker, fact, wording }, people, choices) {
  if (choices.chance(0.5)) return [{ speaker, text: wording.said, fact }];
  const asker = choices.pick(people.filter((name) => name !== speaker));
  const question = toSecondPerson(wording.asked);
  const reply = choices.pick(answers)(fact.value, fact.by);
  return [
    { speaker: asker, text: choices.chance(0.6) ? `${speaker}, a question: ${question}` : question },
    { speaker, text: reply[0].toUpperCase() + reply.slice(1), fact },
  ];
}

function makeGroup(user, choices) {
  const people = choices.take(names.en, 6);
  const [topics, talk] = [readTopics('facts.en.txt'), readLines('talk.en.txt')];
  const unknown = topics.filter(({ name }) => hash(`${user} ${name}`) % UNKNOWN === 0);
  const known = topics.filter((topic) => !unknown.includes(topic));
  const pairs = choices.shuffle(known.flatMap((topic) => people.map((name) => ({ topic, name }))));
  const told = pairs.splice(0, 150).map(({ topic, name }) => {
    const seed = toFact(topic, toPerson('en', name), choices);
    // People speak of themselves; the question names them.
    const own = toFact({ ...topic, v: [seed.value], w: [seed.by] }, toPerson('en'), choices);
    return { speaker: name, fact: seed, wording: own };
  });
  const [documents, questions] = [[], []];
  for (let evening = 0; evening < EVENINGS; evening += 1) {
    const own = told.filter((_, at) => at % EVENINGS === evening).flatMap((one) => toExchange(one, people, choices));
    const turns = [...own];
    for (let count = choices.between(6, 14); count > 0; count -= 1) {
      turns.splice(choices.below(turns.length + 1), 0, { speaker: choices.pick(people), text: choices.pick(talk) });
    }
    for (const [position, { speaker, text, fact }] of turns.entries()) {
      const id = `${user}/${evening}-${position}`;
      const occurred = new Date(FIRST_DAY + 3 * evening * DAY_MS + position * 40_000).toISOString();
      documents.push({
        id,
        user,
        content: `${speaker}: ${text}`,
        tags: [],
        metadata: { user_id: user, speaker, sequence: `${user}/${evening}`, position, occurred_at: occurred },
      });
      if (fact !== undefined) questions.push({ id: `${id}/q`, user, question: fact.asked, evidence: [id] });
    }
  }
  const others = choices.shuffle(unknown.flatMap((topic) => people.map((name) => ({ topic, name }))));
  const missing = [...others.slice(0, 2 * NEAR_MISSES), ...pairs.slice(0, NEAR_MISSES)].map(({ topic, name }, at) => ({
    id: `${user}/n${at}`,
    user,
    question: toFact(topic, toPerson('en', name), choices).asked,
    evidence: [],
  }));
  return { documents, questions: [...choices.take(questions, ASKED), ...missing] };
}

/** Three groups of six people. */
export function makeGroupChat() {
  const choices = createChoices('group');
  const groups = Array.from({ length: GROUPS }, (_, at) => makeGroup(`group-${at + 1}`, choices));
  return {
    documents: groups.flatMap(({ documents }) => documents),
    questions: groups.flatMap(({ questions }) => questions),
  };
}
