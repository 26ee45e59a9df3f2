import { ADVERB, CIRCLE, DATE, HABIT, IRREGULAR_PARTICIPLE, IRREGULAR_PAST, KIN } from './en-words.ts';
import { anyOf } from './phrases.ts';
import type { Clause, Subject } from './rule.ts';

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/[’‘]/gu, "'"],
  [/\bcan't\b|\bcannot\b/giu, 'can not'],
  [/\bwon't\b/giu, 'will not'],
  [/\bain't\b/giu, 'am not'],
  [/n't\b/giu, ' not'],
  [/\blet's\b/giu, 'let us'],
  [/\b(i)'m\b/giu, '$1 am'],
  [/'re\b/giu, ' are'],
  [/'ve\b/giu, ' have'],
  [/'ll\b/giu, ' will'],
  [/'d\b(?=\s+(?:love|like|be|rather|prefer|never|really|go|say|have))/giu, ' would'],
  [/'d\b/giu, ' had'],
  [/\b(it|that|he|she|what|there|who|where|here)'s\b(?=\s+(?:been|got|gone|had|become|started))/giu, '$1 has'],
  [/\b(it|that|he|she|what|there|who|where|here)'s\b/giu, '$1 is'],
  // After a name `'s` may tell whose something is: only before these is it a verb.
  [
    /\b(\p{Lu}\p{L}+)'s\b(?=\s+(?:not|never|always|really|badly|severely|very|so|now|still|also|just|allergic|afraid|pregnant|sick|ill|going to|getting|moving|coming|a|an)\b)/gu,
    '$1 is',
  ],
  [/\bgonna\b/giu, 'going to'],
  [/\bwanna\b/giu, 'want to'],
  [/\bgotta\b/giu, 'have to'],
  [/\b(\w+in)'(?=\s)/giu, '$1g'],
  [/\bim\b/giu, 'i am'],
];

/** A clause ends at a comma, semicolon or dash, and before a conjunction that a subject of its own follows. */
const CLAUSE_BORDER =
  /\s*(?:[;—–…()]|[,:](?!\d))+\s*|\s*-+\s|\s+(?=(?:and|but|so|because|since|although|though|while|which|that|then|'?cause|cuz|when|if|until|after|before|or)\s+(?:i|we|my|our|he|she|they|his|her|their)\b)|(?<=\b(?:tell you|told you|mention|mentioned|know|think|guess|heard|said|glad|happy|sorry|means|so))\s+(?=(?:i|we|my|our)\s)/iu;
const LEAD = new RegExp(
  `^(?:${anyOf(`well so and but oh ah yeah yep yes no nope ok okay hey hi hello wow haha lol omg man actually also plus anyway anyways honestly
  btw by_the_way to_be_honest tbh because since then now today yesterday tomorrow tonight recently lately although though while
  when until that which or cause cuz maybe of_course sure unfortunately sadly luckily fortunately finally thankfully
  hopefully eventually apparently after before in_fact for_now for_example besides overall currently these_days nowadays
  (?:last|next|this|every|one)_\\w+ in_\\d{4} on_\\w+day (?:a|an|one|two|three|\\d+)_(?:few_|couple_of_)?\\w+_ago`)}\\b[\\s,!.]*)+`,
  'iu',
);
const SUBJECTS: readonly (readonly [Subject, RegExp])[] = [
  [
    'kin',
    new RegExp(
      `^(?:my|our)\\s+(?:(?!own\\b)[\\w-]+\\s+){0,2}?${KIN}(?:\\s+and\\s+(?!i\\b)(?:my\\s+)?\\w+)?(?![\\w'])\\s*(?!and\\b)`,
      'iu',
    ),
  ],
  [
    'named',
    new RegExp(`^(?:my|our|a|an|one of my)\\s+(?:(?!own\\b)[\\w-]+\\s+)??${CIRCLE}(?![\\w'])\\s*(?!and\\b)`, 'iu'),
  ],
  ['self', /^(?:i|we|me and (?:my )?\w+|(?:my )?[\w-]+(?: \w+)? and (?:i|me)|both of us|all of us)\b\s*/iu],
  ['self', /^(?=(?:my|our)\s)/iu],
  ['you', /^(?:you|y'all|u)\b\s*/iu],
  ['named', /^(?:he|she|they)\b\s*/iu],
  [
    'thing',
    /^(?:it|this|that|there|these|those|here|what|who|how|where|why|which|the|a|an|your|his|her|their|some|let)\b\s*/iu,
  ],
];
/** Chat leaves out `I`: `Went to the gym`, `Just got back`, `Planning a trip`. */
const ELIDED = new RegExp(
  `^(?:${IRREGULAR_PAST}|(?!need|speed|indeed|fred\\b|jared\\b|ahmed\\b)\\w{2,}ed|going to|been|planning|thinking (?:of|about)|looking forward|can not wait|working on|trying to|hoping|hope|starting|lov(?:e|ing)(?! (?:the|all|and|is|was|can|sure|does|will|has)\\b)|miss|currently|just)\\b\\s+\\S`,
  'iu',
);
/** A name, by the verb of a person after it. */
const NAME =
  /^([A-Z][\w'-]+)\s+(?=(?:is|was|has|had|will|loves?|likes?|got|went|lives?|works?|moved|(?!need)\w+ed)\b)/u;
const OWN_NAME = /^am (?=[A-Z][a-z]+(?: [A-Z][a-z]+)?[\s.!]*$)/u;
const PARTICIPLE = `${IRREGULAR_PARTICIPLE}|(?!need)\\w+ed`;
const PAST_VERB = new RegExp(`^(?:${IRREGULAR_PAST}|(?!need|speed|indeed)\\w{2,}ed)\\b`, 'u');
const QUESTION_START =
  /^(?:(?:and|so|but|well|oh|hey|wow)[,\s]+)*(?:do|does|did|have you|has|are|is|was|were|can|could|will|would|should|what|whats|how|why|when|where|who|which|any|ever|right|you know|don't|isn't|aren't|won't)\b/iu;
/** Questions that only announce what follows: `Did I tell you that I'm getting married?` */
const NEWS = /\b(?:did i (?:tell you|mention)|have i told you|guess what|you know what)\b/iu;
const ASKS_YOU = /^(?:do|did|are|were|have|can|could|would|will) you\b/iu;
const SUPPOSED = /^(?:if|imagine|suppose|what if|even if|unless|i wish|if only|pretend)\b/iu;

/** Spells contractions out and makes quotes plain. */
export function expand(sentence: string): string {
  return CONTRACTIONS.reduce((text, [pattern, full]) => text.replace(pattern, full), sentence)
    .replace(/\s+/gu, ' ')
    .trim();
}

type VerbGroup = Pick<Clause, 'said' | 'tense' | 'denied'>;

/** What stands before the main verb, and what it says about the verb group; the first that matches is taken off. */
interface Auxiliary {
  readonly word: RegExp;
  readonly tense?: Clause['tense'];
  readonly isDenied?: true;
  readonly be?: boolean;
}

const AUXILIARIES: readonly Auxiliary[] = [
  { word: /^(?:not|never|hardly|barely|nor|no longer)\b\s*/u, isDenied: true },
  { word: /^(?:will|shall)\b\s*/u, tense: 'future' },
  { word: /^(?:would|could|might|may|should|must)\b\s*/u, tense: 'would' },
  { word: /^can\b\s*/u },
  { word: /^(?:was|were)\b\s*/u, tense: 'past', be: true },
  { word: /^(?:am|is|are|be|been|being)\b\s*/u, be: true },
  {
    word: new RegExp(`^(?:have|has|had)\\s+(?=(?:(?:${ADVERB}|not|never)\\s+)*(?:${PARTICIPLE})\\b)`, 'u'),
    tense: 'past',
  },
  { word: /^did\s+(?=(?:not|really|love|like|enjoy|have|feel|hope|want|need)\b)/u, tense: 'past' },
  { word: /^(?:do|does)\s+(?=(?:not|really|love|like|enjoy|have|feel|hope|want|need)\b)/u },
  { word: /^going to\s+(?!(?:bed|sleep|work|school)\b)/u, tense: 'future', be: false },
  { word: new RegExp(`^(?:${ADVERB}|(?!famil|only|rel|appl|repl|fl|suppl|ital|jul|multipl)\\w{3,}ly)\\s+`, 'u') },
];

/** Takes auxiliaries, denials and adverbs off the front; `be` is kept, in its plain form. */
function readVerbGroup(text: string): VerbGroup {
  let rest = text.toLowerCase();
  let group = { tense: 'present' as Clause['tense'], isDenied: false, be: false };
  for (;;) {
    const found = AUXILIARIES.find(({ word }) => word.test(rest));
    if (found === undefined) break;
    const { word, ...told } = found;
    group = { ...group, ...told };
    rest = rest.replace(word, '');
  }
  const tense = group.tense === 'present' && !group.be && PAST_VERB.test(rest) ? 'past' : group.tense;
  const denied = !group.isDenied ? 'no' : tense === 'past' ? 'event' : 'fact';
  return { said: `${group.be ? 'be ' : ''}${rest}`.replace(/[\s.!?"']+$/u, ''), tense, denied };
}

function findSubject(clause: string, speakers: ReadonlySet<string>): { subject: Subject; rest: string } {
  for (const [subject, pattern] of SUBJECTS) {
    const match = pattern.exec(clause);
    if (match === null) continue;
    const rest = clause.slice(match[0].length);
    // `My sister Anna is a nurse`: the name belongs to the subject; `I'm Carlos` tells one.
    return { subject, rest: subject === 'kin' ? rest.replace(NAME, '') : rest.replace(OWN_NAME, 'am named ') };
  }
  const [start = '', name = ''] = NAME.exec(clause) ?? [];
  if (speakers.has(name)) return { subject: 'named', rest: clause.slice(start.length) };
  if (ELIDED.test(clause)) return { subject: 'self', rest: clause };
  if (name !== '' && !name.endsWith('ing')) return { subject: 'named', rest: clause.slice(start.length) };
  return { subject: 'thing', rest: clause };
}

/**
 * Takes an English sentence apart into clauses. A question keeps the statements before its last clause (`I'm allergic to
 * nuts, is that a problem?`).
 */
export function parseEnglish(sentence: string, speakers: ReadonlySet<string>): readonly Clause[] {
  const text = expand(sentence);
  const isDated = DATE.test(text);
  const isHabit = HABIT.test(text);
  const parts = text.split(CLAUSE_BORDER).filter((part) => part.trim() !== '');
  const isQuestion = /\?["')\s]*$/u.test(text);
  const isSupposed = SUPPOSED.test(text);
  const isNews = NEWS.test(text);
  return parts.map((part, index) => {
    const clause = part.replace(LEAD, '').trim();
    const { subject, rest } = findSubject(clause, speakers);
    const isLast = index === parts.length - 1;
    const isAsked = isQuestion
      ? (isLast && !isNews) || subject !== 'self' || QUESTION_START.test(part)
      : ASKS_YOU.test(part);
    return {
      subject,
      ...readVerbGroup(rest),
      mood: isAsked ? 'asked' : isSupposed || SUPPOSED.test(clause) ? 'supposed' : 'told',
      isDated,
      isHabit,
    };
  });
}
