import { isStopWord } from '../text/words/stop-words.ts';

const COUNT =
  '(?:\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|a few|a couple of|several|many)';
const UNIT = '(?:day|week|month|year|decade)s?';
const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter)';

const patterns = {
  /** `in 2020`, `since last May`, `three years ago`, `now`: when it began, of something that is so still. */
  time: [
    `(?:in|since|from) (?:early |late |mid-?|the (?:spring|summer|autumn|fall|winter) of )?(?:${MONTH} )?(?:of )?\\d{4}`,
    `(?:in|since) (?:last )?${MONTH}`,
    `since (?:last|this) (?:week|month|year)`,
    `(?:for )?(?:(?:about|almost|nearly|over|more than|already) ){0,2}${COUNT} ${UNIT}(?: now)?`,
    `(?:for )?(?:(?:about|almost|nearly|over|more than) )?${COUNT} ${UNIT} ago`,
    `(?:last|this) (?:week|month|year|${MONTH})`,
    '(?:right )?now|at the moment|at present|currently|these days|nowadays|again',
  ],
  /** `, Canada`, `in Scotland`: where the value is. */
  place: [
    ", ?(?:in )?(?:the )?[A-Z][\\p{L}.'-]*(?: [A-Z][\\p{L}.'-]*){0,2}",
    "in (?:the )?[A-Z][\\p{L}.'-]*(?: [A-Z][\\p{L}.'-]*){0,2}",
  ],
  /** `near the harbour`, `next to my school`. */
  near: ["(?:near|next to|close to|by|opposite) (?:(?:the|my|a|an|our) )?[\\p{L}'-]+(?: [\\p{L}'-]+){0,2}"],
  /** `with my two cats`, `alone`. */
  company: [
    "(?:together )?with (?:my|our|two|three|four) [\\p{L}'-]+(?: (?:and )?[\\p{L}'-]+){0,3}",
    'alone|by myself|on my own',
  ],
  /** `for work`. */
  reason: ['for (?:work|university|college|love|my studies|(?:a|my) (?:new )?job)'],
  /** `at a small company`, `for the council`. */
  workplace: [
    "(?:at|for|with) (?:an?|the|my|our) [\\p{L}'-]+(?: [\\p{L}'-]+){0,3}",
    "(?:at|for|with) [A-Z][\\p{L}'&.-]*(?: [A-Z][\\p{L}'&.-]*){0,3}",
  ],
  /** `by trade`. */
  trade: ['by (?:trade|profession)'],
  /** `as a clerk`. */
  post: ["as an? [\\p{L}'-]+(?: [\\p{L}'-]+){0,2}"],
  /** `and I live in Faro`: another sentence. */
  sentence: ["and (?:i|i'm|my) .{1,200}"],
};

/** What may follow a value without being part of it. */
export type Tail = keyof typeof patterns;

/** A tail is whole where a comma, another tail or the end follows; `(?!\p{L})` keeps it from ending inside a word. */
const compiled = new Map(
  Object.entries(patterns).map(([tail, sources]) => [
    tail,
    new RegExp(`^(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, tail === 'time' || tail === 'sentence' ? 'iu' : 'u'),
  ]),
);

/** Most tails that one value has. */
const MOST = 3;

/** Whether a text is nothing but tails of the given kinds, with spaces between them. */
export function isTail(text: string, tails: readonly Tail[]): boolean {
  let rest = text.trim();
  for (let count = 0; count < MOST && rest !== ''; count += 1) {
    const length = Math.max(...tails.map((tail) => compiled.get(tail)?.exec(rest)?.[0].length ?? 0), 0);
    if (length === 0) return false;
    rest = rest.slice(length).trim();
  }
  return rest === '';
}

/** Whether a word can be part of a name or of a thing's name: no function word, and no word of doubt. */
export const isContentWord = (word: string): boolean => !isStopWord(word.toLowerCase().replaceAll("'", ''));
