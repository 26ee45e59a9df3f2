// Chats with an assistant: short messages of a user, who lets drop what there is to know, and long answers with headings, lists, code
// and tables, which say the same good advice again and again and something of their own at times.
import { createChoices, fill, readLines, readTopics, toFact, toPerson } from './kit.mjs';

const CHATS = 5;
const SITTINGS = 8;
const EXCHANGES = 11;
const FACTS = 34;
/** Questions that nothing answers and that are close to what is told; twice as many are of other things. */
const NEAR_MISSES = 4;
const FIRST_DAY = Date.UTC(2024, 1, 5, 9);
const DAY_MS = 86_400_000;

/** The domains of an answer: lists of what stands in it. */
function readDomains(language) {
  const domains = [];
  for (const line of readLines(`answers.${language}.txt`)) {
    if (line.startsWith('= ')) domains.push({ r: [], o: [], h: [], b: [], p: [], a: [], k: [], t: [] });
    else domains.at(-1)[line[0]].push(line.slice(3));
  }
  return domains;
}

const toCode = (text) => `\`\`\`\n${text.replaceAll('⏎', '\n')}\n\`\`\``;
const toRows = ([head, ...rows]) =>
  [head, head.replace(/[^|]+/gu, ' --- '), ...rows].map((row) => `| ${row} |`).join('\n');

function toSection(domain, heading, { pick, take, below, between, shuffle }) {
  const kinds = [
    () =>
      take(domain.b, between(3, 6))
        .map((point) => `- ${point}`)
        .join('\n'),
    () =>
      take(domain.b, between(3, 5))
        .map((point, at) => `${at + 1}. ${point}`)
        .join('\n'),
    () => take(domain.p, between(1, 2)).join('\n\n'),
    () => `${pick(domain.p)}\n\n${toCode(pick(domain.k))}`,
    () => toRows([domain.t[0], ...shuffle(domain.t.slice(1))]),
  ];
  return `### ${heading}\n\n${kinds[below(kinds.length)]()}`;
}

/** How an assistant asks back; half of its answers end so, and have all words of a question that somebody may ask later. */
const askBack = {
  en: ['Before we go on:', 'To tailor this, it would help to know:', 'Some things that I would clarify first:'],
  zh: ['在继续之前想确认：', '为了更贴合你的情况，想了解一下：', '建议先弄清楚：'],
};

/** An answer; `advice` is what it alone says, in the middle of the rest, `open` the questions that it ends on. */
function toAnswer({ domain, component, advice, open, language }, choices) {
  const headings = choices.take(domain.h, choices.between(4, 9));
  const sections = headings.map((heading) => toSection(domain, heading, choices));
  if (advice !== undefined) sections.splice(choices.between(1, sections.length), 0, advice);
  const end =
    open.length === 0
      ? choices.pick(domain.p)
      : [choices.pick(askBack[language]), ...open.map(({ asked }) => asked)].join('\n- ');
  return [fill(choices.pick(domain.o), { c: component }), ...sections, end].join('\n\n');
}

/** What a chat is about: facts to tell, and questions about things it never tells of. */
function chooseFacts(language, choices) {
  const components = choices.take(readLines(`components.${language}.txt`), 7);
  const me = toPerson(language);
  const pairs = choices.shuffle([
    ...readTopics(`work.${language}.txt`).flatMap((topic) => components.map((c) => ({ topic, person: { ...me, c } }))),
    ...readTopics(`facts.${language}.txt`)
      .flatMap((topic) => [topic, topic])
      .map((topic) => ({ topic, person: me })),
  ]);
  const seen = new Set();
  const once = pairs.filter(({ topic, person: { c } }) => {
    const key = `${topic.name} ${c}`;
    return !seen.has(key) && seen.add(key);
  });
  const make = ({ topic, person }) => toFact(topic, person, choices);
  const told = once.slice(0, FACTS);
  // Of what is never told, first what nothing of the kind is told of.
  const isKindTold = ({ topic }) => (told.some((one) => one.topic.name === topic.name) ? 1 : 0);
  const others = once.slice(FACTS).sort((a, b) => isKindTold(a) - isKindTold(b));
  const missing = [...others.slice(0, 2 * NEAR_MISSES), ...others.slice(-NEAR_MISSES)];
  const open = others.slice(2 * NEAR_MISSES, -NEAR_MISSES).slice(0, FACTS);
  return { components, facts: told.map(make), missing: missing.map(make), open: open.map(make) };
}

/** A chat to be written message by message, with what is asked of it. */
function createChat(user) {
  const [documents, questions] = [[], []];
  const add = (speaker, text, { sequence, position, at }) => {
    const id = `${user}/${sequence}-${position}`;
    documents.push({
      id,
      user,
      content: `${speaker}: ${text}`,
      tags: [],
      metadata: {
        user_id: user,
        speaker,
        sequence: `${user}/${sequence}`,
        position,
        occurred_at: new Date(FIRST_DAY + 6 * DAY_MS * sequence + at * 60_000).toISOString(),
      },
    });
    return id;
  };
  const ask = (question, evidence) => questions.push({ id: `${user}/q${questions.length}`, user, question, evidence });
  return { documents, questions, add, ask };
}

function makeChat(user, language, choices) {
  const { components, facts, missing, open: others } = chooseFacts(language, choices);
  const talk = readLines(`talk.${language}.txt`);
  const domains = readDomains(language);
  const places = choices.shuffle(Array.from({ length: SITTINGS * EXCHANGES }, (_, at) => at));
  const factAt = new Map(facts.map((fact, at) => [places[at], fact]));
  const advices = domains.map(({ a }) => choices.shuffle(a));
  const joint = language === 'zh' ? '' : ' ';
  const { documents, questions, add, ask } = createChat(user);
  for (let at = 0; at < SITTINGS * EXCHANGES; at += 1) {
    const [sequence, exchange] = [Math.floor(at / EXCHANGES), at % EXCHANGES];
    const kind = choices.chance(0.7) ? sequence % domains.length : choices.below(domains.length);
    const [domain, component, fact] = [domains[kind], choices.pick(components), factAt.get(at)];
    const parts = [fill(choices.pick(domain.r), { c: component })];
    if (fact !== undefined) parts.splice(choices.below(2), 0, fact.said);
    if (choices.chance(0.25)) parts.push(choices.pick(talk));
    const told = add('user', parts.join(joint), { sequence, position: 2 * exchange, at });
    if (fact !== undefined) ask(fact.asked, [told]);
    const [advice, asked] = choices.chance(0.3) ? (advices[kind].pop()?.split(' => ') ?? []) : [];
    const open = choices.chance(0.5) ? choices.take([...facts, ...others], choices.between(1, 3)) : [];
    const answer = toAnswer({ domain, component, advice, open, language }, choices);
    const answered = add('assistant', answer, { sequence, position: 2 * exchange + 1, at });
    if (asked !== undefined) ask(asked, [answered]);
  }
  for (const { asked } of missing) ask(asked, []);
  return { documents, questions };
}

/** Five chats of 176 messages: what the user let drop, what was advised, and what was never spoken of. */
export function makeChats(language) {
  const choices = createChoices(`chats-${language}`);
  const chats = Array.from({ length: CHATS }, (_, at) => makeChat(`chats-${language}-${at + 1}`, language, choices));
  return {
    documents: chats.flatMap(({ documents }) => documents),
    questions: chats.flatMap(({ questions }) => questions),
  };
}
