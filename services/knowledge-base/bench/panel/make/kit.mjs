// What the sets that are made by program share: seeded choices, and facts said and asked in words of their own.
import { readFileSync } from 'node:fs';
import { createRandom } from '../../corpus.mjs';
import { hash } from '../halves.mjs';

/** Seeded choices; the same name makes the same ones. */
export function createChoices(name) {
  const random = createRandom(hash(name));
  const below = (count) => Math.floor(random() * count);
  const pick = (list) => list[below(list.length)];
  const shuffle = (list) => {
    const left = [...list];
    for (let at = left.length - 1; at > 0; at -= 1) {
      const other = below(at + 1);
      [left[at], left[other]] = [left[other], left[at]];
    }
    return left;
  };
  /** Some of a list, each once. */
  const take = (list, count) => shuffle(list).slice(0, count);
  return { below, pick, shuffle, take, chance: (share) => random() < share, between: (a, b) => a + below(b - a + 1) };
}

/** The lines of a file of `words/`, without comments. */
export function readLines(name) {
  const text = readFileSync(new URL(`../words/${name}`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('# '));
}

/** Topics of a file of `words/`: `{name, v, w, s, q}`, lists of what they begin with. */
export function readTopics(name) {
  const topics = [];
  for (const line of readLines(name)) {
    const [, mark, rest] = /^(=|\w+:) (.*)$/u.exec(line) ?? [];
    if (mark === undefined) throw new Error(`${name}: ${line}`);
    if (mark === '=') topics.push({ name: rest.trim(), s: [], q: [] });
    else if (mark === 's:' || mark === 'q:') topics.at(-1)[mark[0]].push(rest);
    else topics.at(-1)[mark.slice(0, -1)] = rest.split(';').map((value) => value.trim());
  }
  return topics;
}

const capitalise = (text) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** Who a fact is about, as the words of a template need them. */
export function toPerson(language, name) {
  if (language === 'zh') return name === undefined ? { S: '我', N: '我' } : { S: name, N: name };
  if (name === undefined) return { isFirst: true, S: 'I', P: 'my', M: 'me', N: 'I', O: 'my' };
  const owner = name.endsWith('s') ? `${name}'` : `${name}'s`;
  return { S: name, P: owner, M: name, N: name, O: owner };
}

/** A template with its words: `{x}` by name, `[a|b]` for the user themselves and for somebody else. */
export function fill(template, words) {
  const text = template
    .replace(/\[([^|\]]*)\|([^\]]*)\]/gu, (_, first, other) => (words.isFirst ? first : other))
    .replace(/\{(\w+)\}/gu, (whole, name) => words[name] ?? whole);
  return capitalise(text).replace(/([.!?:] )(\p{Ll})/gu, (_, end, letter) =>
    end === ': ' ? end + letter : end + letter.toUpperCase(),
  );
}

/** People ask for most of what they look for in the words in which it was said. */
const IN_THE_SAME_WORDS = 0.7;

/** A fact of a topic about a person, said and asked in one of its wordings each: in the same words for a good part. */
export function toFact(topic, person, { pick, chance }) {
  const words = { ...person, v: pick(topic.v), w: pick(topic.w ?? ['']) };
  const isPlain = chance(IN_THE_SAME_WORDS);
  const say = (templates) => fill(isPlain ? templates[0] : pick(templates), words);
  return {
    topic: topic.name,
    person,
    said: say(topic.s),
    asked: say(topic.q),
    value: words.v,
    by: words.w,
    values: topic.v,
  };
}

export const names = {
  en: `Marta Jonas Priya Felix Agnes Tomasz Ingrid Dario Yusuf Beatrice Callum Noor Sergei Lucia Hamish Odile Ravi Greta
    Emeka Sofia Anton Mirjam Leif Carmen`.split(/\s+/u),
  zh: '小林 阿珍 老周 晓雯 大伟 表姐 国庆 阿杰 刘姨 子涵 老许 佩佩 建军 小鱼 阿宽 雅琴 志明 丹丹 老谭 思远'.split(' '),
};
