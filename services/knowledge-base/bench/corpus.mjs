// Documents and queries for benchmarks: invented texts in English and Chinese, the same at every run.

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2023, 0, 1);
const TAGS = 40;

/** Numbers in [0, 1) that look random and are the same for one seed (mulberry32, Tommy Ettinger, public domain). */
export function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const syllables = [
  'ba',
  'lo',
  'ri',
  'ten',
  'mu',
  'sa',
  'ker',
  'vi',
  'do',
  'nal',
  'pe',
  'gos',
  'fi',
  'han',
  'zu',
  'cle',
];
const characters =
  '山水风花雪月春夏秋冬东西南北茶酒书画琴棋诗歌江河湖海云雨田园林木金石火土星光夜晨父母兄弟姐妹朋友城乡路桥车船';

function toWord(rank) {
  let [rest, word] = [rank + 16, ''];
  while (rest > 0) {
    word += syllables[rest % 16];
    rest >>= 4;
  }
  return word;
}

/** Words as they fall in texts: the second half as often as the first, and so on (Zipf's law, roughly). */
const pickRank = (random, count) => Math.floor(count * random() ** 3);

function toText(random, isChinese) {
  const length = 20 + Math.floor(random() * 60);
  if (!isChinese) return Array.from({ length }, () => toWord(pickRank(random, 6_000))).join(' ');
  const glyphs = Array.from({ length }, () => characters[pickRank(random, characters.length)]);
  return glyphs.map((glyph, at) => (at % 9 === 8 ? `${glyph}，` : glyph)).join('');
}

/** One document as it is added; `user` and the number make it what it is. */
export function toDocument(number, user, random) {
  const own = Array.from({ length: 2 + Math.floor(random() * 3) }, () => `tag-${Math.floor(random() * TAGS)}`);
  return {
    doc_id: `doc-${number}`,
    content: toText(random, number % 2 === 1),
    tags: [...new Set(['memory', ...own])],
    metadata: {
      user_id: user,
      importance: Math.floor(random() * 10) + 1,
      occurred_at: new Date(FIRST_DAY + Math.floor(random() * 700) * DAY_MS).toISOString(),
      memory_type: random() < 0.7 ? 'event' : 'fact',
    },
  };
}

/** Questions: a few words of some text. */
export function toQuery(number, random) {
  if (number % 2 === 1)
    return Array.from({ length: 6 }, () => characters[Math.floor(random() * characters.length)]).join('');
  return Array.from({ length: 4 }, () => toWord(pickRank(random, 6_000))).join(' ');
}
