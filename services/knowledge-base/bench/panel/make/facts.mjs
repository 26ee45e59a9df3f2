// Single facts among distractors: short texts about a handful of people of each user, no conversation around them.
import { createChoices, names, readLines, readTopics, toFact, toPerson } from './kit.mjs';

const USERS = 3;
const TOLD = 180;
const ASKED = 100;
const UNANSWERABLE = 34;
/** Of the topics, how many a user never speaks of. */
const UNKNOWN = 9;

/** A fact with small talk around it, as people write. */
function toText({ said }, talk, { pick, chance }, joint) {
  const before = chance(0.25) ? [pick(talk)] : [];
  const after = chance(0.3) ? [pick(talk)] : [];
  return [...before, said, ...after].join(joint);
}

function makeUser(user, language, choices) {
  const [topics, talk] = [choices.shuffle(readTopics(`facts.${language}.txt`)), readLines(`talk.${language}.txt`)];
  const people = [undefined, ...choices.take(names[language], 4)].map((name) => toPerson(language, name));
  const known = topics.slice(UNKNOWN);
  const pairs = choices.shuffle(known.flatMap((topic) => people.map((person) => ({ topic, person }))));
  const facts = pairs.slice(0, TOLD).map(({ topic, person }) => toFact(topic, person, choices));
  const missing = [
    ...topics.slice(0, UNKNOWN).flatMap((topic) => people.slice(0, 3).map((person) => ({ topic, person }))),
    ...pairs.slice(TOLD),
  ];
  const joint = language === 'zh' ? '' : ' ';
  const told = facts.map((fact, at) => ({ id: `${user}/${at}`, content: toText(fact, talk, choices, joint) }));
  const chat = Array.from({ length: 60 }, (_, at) => ({
    id: `${user}/talk-${at}`,
    content: choices.take(talk, choices.between(1, 3)).join(joint),
  }));
  const questions = facts.slice(0, ASKED).map(({ asked }, at) => ({
    id: `${user}/q${at}`,
    user,
    question: asked,
    evidence: [`${user}/${at}`],
  }));
  const unanswerable = missing.slice(0, UNANSWERABLE).map(({ topic, person }, at) => ({
    id: `${user}/n${at}`,
    user,
    question: toFact(topic, person, choices).asked,
    evidence: [],
  }));
  const documents = choices
    .shuffle([...told, ...chat])
    .map((one) => ({ ...one, user, tags: [], metadata: { user_id: user } }));
  return { documents, questions: [...questions, ...unanswerable] };
}

/** 300 questions of three users, and a hundred that nothing answers: most of things never spoken of, some of somebody else's. */
export function makeFacts(language) {
  const choices = createChoices(`facts-${language}`);
  const users = Array.from({ length: USERS }, (_, at) => makeUser(`facts-${language}-${at + 1}`, language, choices));
  return {
    documents: users.flatMap(({ documents }) => documents),
    questions: users.flatMap(({ questions }) => questions),
  };
}
