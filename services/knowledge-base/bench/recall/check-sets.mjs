// Checks that our own question sets are sound, and not too easy: that what they name exists, that every kind of question
// is there often enough to be measured, and that no more than half of them are answered by counting common words.
//
//   node services/knowledge-base/bench/recall/check-sets.mjs [file ...]
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import process from 'node:process';
import { ownSets } from './read-town.mjs';

const KINDS = 'direct two-hop comparative counting changed time paraphrase short-word no-answer'.split(' ');
const LEAST = { ofKind: 12, questions: 160, turns: 420 };
const MOST = { answeredByOverlap: 0.5, sharingRareWords: 0.4 };
/** A word is rare that stands in at most this share of the turns. */
const RARE = 0.02;

const englishStopWords = new Set(
  `a an the and or but nor so yet if then than that this these those there here of in on at by for from to with without
  into onto over under up down out off about as is are was were be been being am do does did done doing have has had
  having will would shall should can could may might must ought i me my mine myself you your yours yourself he him his
  himself she her hers herself it its itself we us our ours they them their theirs themselves one ones who whom whose
  what which when where why how not no yes any some all each every both either neither only just also too very more most
  much many again once still even ever never now after before while since until till because between through during
  against s t ll re ve d m don didn doesn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn shan let`.split(
    /\s+/,
  ),
);
const englishWords = (text) =>
  text
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/'(?:s|t|ll|re|ve|d|m)\b/g, ' ')
    .match(/[a-z0-9]+/g) ?? [];

/** Cuts more than a searcher would: a set that is hard enough by this is hard enough. */
function stem(word) {
  if (/\d/.test(word) || word.length <= 3) return word;
  const bare = word.replace(/(ing|edly|ed|ers|er|est|ies|ied|es|ly|s|y|e)$/, (end) => (/^ie/.test(end) ? 'y' : ''));
  return bare.replace(/(.)\1$/, '$1').replace(/[eiy]$/, '');
}

const englishContent = (text) =>
  new Set(
    englishWords(text)
      .filter((word) => !englishStopWords.has(word))
      .map(stem),
  );

const english = {
  lengthOf: (text) => text.trim().split(/\s+/).length,
  lengths: [5, 60],
  severalTurns: ['counting', 'two-hop'],
  content: englishContent,
  words: englishContent,
  isShortWord: ({ question }) => englishWords(question).some((word) => word.length <= 3 && !englishStopWords.has(word)),
};

/** Pairs of characters that carry no meaning of their own. */
const chineseStopPairs = new Set(
  `什么 怎么 多少 哪里 哪儿 哪个 哪天 哪些 哪种 哪次 几个 几次 几回 谁的 是谁 是不 不是 没有 有没 是什 是哪 了什 的是 是我 我的 我们 你们 他们
  她们 了我 给我 我在 在我 我一 了一 一个 个月 这个 那个 那家 那只 这里 那里 现在 已经 还是 可以 因为 所以 一共 时候 为什 么时 了多 要多 有多 到了 的时
  起来 出来 下来 他的 她的 它的 了吗 了没 了几 有几 过几 不了 一下 一点 有点 就是 都是 也是 还有 的那 那次`.split(
    /\s+/,
  ),
);
const chineseStopCharacters = new Set('谁我的了是在哪家什么啥给过那个只一们她他有和把被对要次里儿');
const runs = (text) => text.match(/\p{Script=Han}+/gu) ?? [];
const toPairs = (run) => Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2));

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const isLong = (word) => /\p{Script=Han}{2}|\d{2}/u.test(word);

const chinese = {
  lengthOf: (text) => [...text].length,
  lengths: [6, 80],
  severalTurns: ['counting', 'two-hop', 'comparative'],
  content: (text) =>
    new Set(
      runs(text)
        .flatMap(toPairs)
        .filter((pair) => !chineseStopPairs.has(pair)),
    ),
  words: (text) => new Set([...segmenter.segment(text)].map(({ segment }) => segment).filter(isLong)),
  isShortWord: ({ question }, evidence) => {
    const characters = [...runs(question).join('')];
    const shared = characters.filter(
      (one) => !chineseStopCharacters.has(one) && evidence.some(({ text }) => text.includes(one)),
    );
    return characters.length <= 10 && shared.length > 0;
  },
};

const isDate = (text) => /^2024-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(Date.parse(text));
const isOutside = (number, [least, most]) => number < least || number > most;

function checkSession({ date, turns }, previous, language) {
  const faults = [];
  if (!isDate(date)) faults.push(`${date} is no date of 2024`);
  if (previous !== undefined && date <= previous) faults.push(`${date} comes after ${previous}`);
  if (isOutside(turns.length, [8, 14])) faults.push(`${date} has ${turns.length} turns`);
  for (const { id, speaker, text } of turns) {
    const length = language.lengthOf(text);
    if (isOutside(length, language.lengths)) faults.push(`${id} is ${length} long`);
    if (!speaker?.trim()) faults.push(`${id} has no speaker`);
  }
  return faults;
}

function checkConversation({ id, sessions }, language) {
  const faults = isOutside(sessions.length, [8, 14]) ? [`has ${sessions.length} sessions`] : [];
  faults.push(...sessions.flatMap((session, at) => checkSession(session, sessions[at - 1]?.date, language)));
  return faults.map((fault) => `${id}: ${fault}`);
}

function checkEvidence({ kind, user, evidence }, turns, language) {
  const faults = [];
  const found = evidence.flatMap((id) => turns.get(id) ?? []);
  if (found.length < evidence.length) faults.push(`evidence ${evidence.filter((id) => !turns.has(id))} does not exist`);
  if (found.some((turn) => turn.user !== user)) faults.push('has evidence of another user');
  if (new Set(evidence).size < evidence.length) faults.push('names evidence twice');
  if (isOutside(evidence.length, [1, 4])) faults.push(`has ${evidence.length} evidence turns`);
  if (language.severalTurns.includes(kind) && evidence.length < 2) faults.push(`is ${kind} with one evidence turn`);
  return faults;
}

function checkQuestion(asked, turns, language) {
  const { id, kind, user, question, answer, evidence } = asked;
  const faults = [];
  if (!KINDS.includes(kind)) faults.push(`is of no kind: ${kind}`);
  if (!question?.trim() || !answer?.trim()) faults.push('has no question or no answer');
  if (![...turns.values()].some((turn) => turn.user === user)) faults.push(`is of a user without turns: ${user}`);
  if (kind === 'no-answer') {
    if (evidence.length > 0) faults.push('has evidence and no answer');
    return faults.map((fault) => `${id} ${fault}`);
  }
  faults.push(...checkEvidence(asked, turns, language));
  const found = evidence.flatMap((name) => turns.get(name) ?? []);
  const shared = [...language.content(question)].filter((word) => found.some(({ content }) => content.has(word)));
  if (kind === 'paraphrase' && shared.length > 0) faults.push(`is a paraphrase and shares ${shared}`);
  if (kind === 'short-word' && !language.isShortWord(asked, found)) faults.push('asks for no short word');
  return faults.map((fault) => `${id} ${fault}`);
}

/** How likely the turn with the most words of the question is evidence, drawn by lot where several have as many. */
function overlapAnswers({ user, question, evidence }, turns, language) {
  const asked = [...language.content(question)];
  const counts = [...turns.values()]
    .filter((turn) => turn.user === user)
    .map(({ id, content }) => ({ id, common: asked.filter((word) => content.has(word)).length }));
  const most = Math.max(0, ...counts.map(({ common }) => common));
  const best = counts.filter(({ common }) => common === most && most > 0);
  return best.length === 0 ? 0 : best.filter(({ id }) => evidence.includes(id)).length / best.length;
}

/** Whether an evidence turn shares two rare words with the question: those any search finds. */
function sharesRareWords({ question, evidence }, turns, language) {
  const all = [...turns.values()];
  const isRare = (word) => all.filter(({ words }) => words.has(word)).length <= RARE * all.length;
  const asked = [...language.words(question)];
  return evidence.some((id) => asked.filter((word) => turns.get(id)?.words.has(word) && isRare(word)).length >= 2);
}

const repeated = (names) => [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
const percent = (share) => `${(100 * share).toFixed(1)} %`;

function checkWhole({ conversations, questions }, turns, language) {
  const said = conversations.flatMap(({ sessions }) => sessions.flatMap((session) => session.turns));
  const ids = [...conversations, ...said, ...questions].map(({ id }) => id);
  const kinds = KINDS.map((kind) => [kind, questions.filter((asked) => asked.kind === kind).length]);
  const answered = questions.filter(({ evidence }) => evidence.length > 0);
  const shareOf = (measure) =>
    answered.reduce((sum, asked) => sum + Number(measure(asked, turns, language)), 0) / answered.length;
  const [overlap, rare] = [shareOf(overlapAnswers), shareOf(sharesRareWords)];
  const faults = [
    ...repeated(ids).map((id) => `${id} is there twice`),
    ...repeated(questions.map(({ user, question }) => `${user}: ${question}`)).map(
      (asked) => `${asked} is asked twice`,
    ),
    ...kinds.filter(([, count]) => count < LEAST.ofKind).map(([kind, count]) => `only ${count} questions are ${kind}`),
    ...(questions.length < LEAST.questions ? [`only ${questions.length} questions`] : []),
    ...(said.length < LEAST.turns ? [`only ${said.length} turns`] : []),
    ...(overlap > MOST.answeredByOverlap ? [`plain overlap answers ${percent(overlap)}`] : []),
    ...(rare > MOST.sharingRareWords ? [`${percent(rare)} share two rare words with their evidence`] : []),
  ];
  const counted = `${said.length} turns, ${questions.length} questions (${kinds.map((pair) => pair.join(' ')).join(', ')})`;
  const summary = `${counted}; plain overlap answers ${percent(overlap)}, ${percent(rare)} share two rare words`;
  return { faults, summary };
}

function check(set) {
  const language = set.language === 'zh' ? chinese : english;
  const turns = new Map(
    set.conversations.flatMap(({ user, sessions }) =>
      sessions.flatMap(({ turns: said }) =>
        said.map(({ id, text }) => {
          return [id, { id, user, text, content: language.content(text), words: language.words(text) }];
        }),
      ),
    ),
  );
  const { faults, summary } = checkWhole(set, turns, language);
  const conversations = set.conversations.flatMap((one) => checkConversation(one, language));
  const questions = set.questions.flatMap((one) => checkQuestion(one, turns, language));
  return { summary, faults: [...conversations, ...questions, ...faults] };
}

const named = process.argv.slice(2);
for (const file of named.length > 0 ? named : ownSets) {
  const { faults, summary } = check(JSON.parse(await readFile(file, 'utf8')));
  process.stdout.write(`${basename(file)}: ${summary}\n`);
  for (const fault of faults) process.stdout.write(`  ${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
