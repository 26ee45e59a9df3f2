// Notes of agents and questions about them: invented texts in English and Chinese, the same at every run. A project has its
// own words, so that its notes are near each other and far from others.

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

const SYLLABLES = 'ba lo ri ten mu sa ker vi do nal pe gos fi han zu cle'.split(' ');
/** As many characters as a newspaper uses. */
const CHARACTERS = Array.from({ length: 3_500 }, (_, at) => String.fromCodePoint(0x4e00 + at * 5));
const TYPES = ['requirement', 'plan', 'development', 'testing', 'insight'];
/** Words there are, and words of one project. */
const [WORDS, OWN_WORDS] = [20_000, 600];

function toWord(rank) {
  let [rest, word] = [rank + 16, ''];
  while (rest > 0) {
    word += SYLLABLES[rest % 16];
    rest >>= 4;
  }
  return word;
}

/** A few words are frequent and most are rare (Zipf's law, roughly). */
const pick = (random, count) => Math.floor(count * random() ** 3);

/** Half of what a note says is said by all projects, half by its own. */
const wordOf = (project, random) =>
  toWord(random() < 0.5 ? pick(random, WORDS) : (project * 97 + pick(random, OWN_WORDS) * 31) % WORDS);
const charactersOf = (project, random) =>
  Array.from(
    { length: 2 },
    () => CHARACTERS[((random() < 0.5 ? 0 : project * 17) + pick(random, CHARACTERS.length)) % CHARACTERS.length],
  ).join('');

function toSentence(project, random, isChinese) {
  const length = 8 + Math.floor(random() * 10);
  const words = Array.from({ length }, () => (isChinese ? charactersOf : wordOf)(project, random));
  return isChinese ? `${words.join('')}。` : `${words.join(' ')}.`;
}

/** One note as it is sent; nine in ten are one chunk, the others two to four. */
export function toNote(number, project, random) {
  const isChinese = number % 2 === 1;
  const sentences = number % 10 === 0 ? 60 : 3 + Math.floor(random() * 6);
  const content = Array.from({ length: sentences }, () => toSentence(project, random, isChinese)).join('\n\n');
  return { project_key: `project-${project}`, content_type: TYPES[number % TYPES.length], content };
}

/** A question: some words of a project. */
export function toQuestion(number, project, random) {
  const isChinese = number % 2 === 1;
  const words = Array.from({ length: isChinese ? 3 : 5 }, () => (isChinese ? charactersOf : wordOf)(project, random));
  return words.join(isChinese ? '' : ' ');
}
