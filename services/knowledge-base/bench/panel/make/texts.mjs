// What somebody writes for themselves: decisions about software, Markdown notes, daily logs, long documents.
import { hash } from '../halves.mjs';
import { createChoices, names, readLines, readTopics, toFact, toPerson } from './kit.mjs';

const USERS = 3;
const FIRST_DAY = Date.UTC(2024, 0, 8);
const DAY_MS = 86_400_000;
const toDay = (at) => new Date(FIRST_DAY + at * DAY_MS).toISOString().slice(0, 10);

/** Of all topics, one in so many is never spoken of by a user. */
const UNKNOWN = 7;

/** Topics with whom or what they are about, each pair once, in a random order. */
function toPairs(language, choices, { people = 0, components = 0 }) {
  const persons = [undefined, ...choices.take(names[language], people)].map((name) => toPerson(language, name));
  const parts = choices.take(readLines(`components.${language}.txt`), components);
  return choices.shuffle([
    ...(people === 0 ? [] : readTopics(`facts.${language}.txt`)).flatMap((topic) =>
      persons.map((person) => ({ topic, person })),
    ),
    ...(components === 0 ? [] : readTopics(`work.${language}.txt`)).flatMap((topic) =>
      parts.map((c) => ({ topic, person: { ...toPerson(language), c } })),
    ),
  ]);
}

/**
 * A set of some users' documents. `write` makes one document of some facts; of every user `asked` facts are asked, and a third as
 * many that no document tells.
 */
function makeSet(name, { language = 'en', subjects, count, factsEach, asked }, write) {
  const choices = createChoices(name);
  const [documents, questions] = [[], []];
  for (let number = 1; number <= USERS; number += 1) {
    const user = `${name}-${number}`;
    const pairs = toPairs(language, choices, subjects);
    const make = ({ topic, person }) => toFact(topic, person, choices);
    const isUnknown = ({ topic }) => hash(`${user} ${topic.name}`) % UNKNOWN === 0;
    const known = pairs.filter((pair) => !isUnknown(pair));
    const facts = known.splice(0, count * factsEach).map(make);
    const told = [];
    for (let at = 0; at < count; at += 1) {
      const own = facts.slice(at * factsEach, (at + 1) * factsEach);
      const id = `${user}/${at}`;
      documents.push({ id, user, tags: [], ...write(own, at, { choices, user, language }) });
      for (const fact of own) told.push({ fact, id });
    }
    for (const { fact, id } of choices.take(told, asked)) {
      questions.push({ id: `${user}/q${questions.length}`, user, question: fact.asked, evidence: [id] });
    }
    // Most of things never spoken of, some of things that were told of somebody or something else.
    const missing = Math.ceil(asked / 9);
    for (const { asked: question } of [
      ...pairs.filter(isUnknown).slice(0, 2 * missing),
      ...known.slice(0, missing),
    ].map(make)) {
      questions.push({ id: `${user}/q${questions.length}`, user, question, evidence: [] });
    }
  }
  return { documents, questions };
}

/** Records of decisions: the choice among what was turned down, or a single line. */
function writeDecision([fact, ...others], at, { choices, user }) {
  const lines = readLines('decisions.en.txt');
  const rejected = choices.take(
    fact.values.filter((value) => value !== fact.value),
    2,
  );
  const metadata = { user_id: user, occurred_at: `${toDay(at)}T10:00:00.000Z` };
  if (choices.chance(0.3)) return { content: [fact, ...others].map(({ said }) => said).join(' '), metadata };
  const content = [
    `# ADR ${String(at + 1).padStart(3, '0')}: ${fact.topic} of ${fact.person.c}`,
    `Status: ${choices.pick(['accepted', 'accepted', 'accepted', 'proposed', 'in trial'])}, ${toDay(at)}`,
    `## Context\n\n${choices.take(lines, choices.between(2, 4)).join(' ')} We also looked at ${rejected.join(' and ')}.`,
    `## Decision\n\n${fact.said}`,
    `## Consequences\n\n${choices
      .take(lines, choices.between(2, 4))
      .map((line) => `- ${line}`)
      .join('\n')}`,
    ...others.map(({ said }) => `Note: ${said}`),
  ].join('\n\n');
  return { content, metadata };
}

/** A note in Markdown: front matter, headings, lists of this and that. */
function writeNote(facts, at, { choices, user, language }) {
  const [talk, points] = [readLines(`talk.${language}.txt`), readLines(`answers.${language}.txt`)];
  const generic = points.filter((line) => line.startsWith('b: ')).map((line) => line.slice(3));
  const title = choices.pick([
    'Inbox',
    'Ideas',
    'Home',
    'People',
    'Work in progress',
    'Reading',
    'Errands',
    'Open questions',
  ]);
  const sections = facts.map(({ topic, said }) => {
    const rest = [...choices.take(generic, choices.between(0, 4)), ...choices.take(talk, choices.between(0, 2))];
    const items = choices.shuffle([said, ...rest]).map((line) => `- ${line}`);
    return `## ${choices.chance(0.4) ? topic : choices.pick(['Misc', 'Later', 'Today', 'Notes', 'To sort'])}\n\n${items.join('\n')}`;
  });
  const head = `---\ntitle: ${title} ${at + 1}\ndate: ${toDay(3 * at)}\n---\n\n# ${title}`;
  return { content: [head, ...sections].join('\n\n'), metadata: { user_id: user, title: `${title} ${at + 1}` } };
}

/** The log of a day: short lines by the clock. */
function writeLog(facts, at, { choices, user, language }) {
  const talk = readLines(`talk.${language}.txt`);
  const lines = choices.shuffle([...facts.map(({ said }) => said), ...choices.take(talk, choices.between(3, 9))]);
  let minute = 7 * 60 + choices.below(50);
  const entries = lines.map((line) => {
    minute += choices.between(9, 80);
    return `- ${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')} ${line}`;
  });
  return {
    content: `# ${toDay(at)}\n\n${entries.join('\n')}`,
    metadata: { user_id: user, occurred_at: `${toDay(at)}T20:00:00.000Z` },
  };
}

/** Five thousand characters and more: minutes, with what there is to know somewhere in them. */
function writeLong(facts, at, { choices, user, language }) {
  const lines = readLines(`answers.${language}.txt`);
  const paragraphs = lines.filter((line) => /^[pb]: /u.test(line)).map((line) => line.slice(3).replaceAll('**', ''));
  const [talk, said] = [readLines(`talk.${language}.txt`), facts.map((fact) => fact.said)];
  const joint = language === 'zh' ? '' : ' ';
  const least = language === 'zh' ? 3_000 : 5_000;
  const parts = [`# ${language === 'zh' ? '纪要' : 'Minutes'} ${toDay(7 * at)}`];
  while (said.length > 0 || parts.join('\n\n').length < least) {
    const some = [...said.splice(0, choices.between(1, 2)), ...choices.take(paragraphs, choices.between(1, 3))];
    parts.push([...choices.shuffle(some), ...choices.take(talk, choices.between(0, 2))].join(joint));
  }
  return { content: parts.join('\n\n'), metadata: { user_id: user } };
}

/** Decisions about software of three projects. */
export const makeDecisions = () =>
  makeSet('decisions', { subjects: { components: 12 }, count: 110, factsEach: 1, asked: 75 }, writeDecision);

/** Markdown notes of three people about their work and those around them. */
export const makeNotes = () =>
  makeSet('notes', { subjects: { people: 6, components: 6 }, count: 70, factsEach: 4, asked: 75 }, writeNote);

/** Logs of 90 days. */
export const makeLogs = (language) =>
  makeSet(`logs-${language}`, { language, subjects: { people: 5 }, count: 90, factsEach: 2, asked: 75 }, writeLog);

/** Long documents. */
export const makeLong = (language) =>
  makeSet(
    `long-${language}`,
    { language, subjects: { people: 6, components: 10 }, count: 36, factsEach: 9, asked: 75 },
    writeLong,
  );
