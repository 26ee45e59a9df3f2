import { isStopWord, splitSentences } from '@contextloom/retrieval';
import type { WindowTurn } from '../../windows/window-turns.ts';
import type { Doubt } from '../doubt.ts';
import { isOpener } from '../names/name-forms.ts';
import { readNames } from '../names/names.ts';
import { toUnits } from '../support.ts';
import { type Clause, countShared, splitClauses } from './clauses.ts';

/** What a fact is judged by besides its words. */
export interface StanceSource {
  readonly evidence: readonly WindowTurn[];
  /** What was said right before the evidence. */
  readonly before: readonly WindowTurn[];
  /** What was said right after the evidence. */
  readonly after: readonly WindowTurn[];
  readonly speakers: readonly string[];
  /** Everything that is known to have been said. */
  readonly all: readonly WindowTurn[];
}

const CHINESE_KIN =
  '我家(?:那个|那位|老大|老二|小的|娃|闺女|小子)|闺女|公婆|爸妈|父母|妈妈?|爸爸?|父亲|母亲|哥哥?|姐姐?|弟弟?|妹妹?|爷爷|奶奶|外公|外婆|姥姥|姥爷|公公|婆婆|岳父|岳母|儿子|女儿|孩子|双胞胎|老公|老婆|丈夫|妻子|太太|对象|未婚[夫妻]|前[夫妻任]|男朋友|女朋友|男友|女友|朋友|同事|室友|邻居|房东|老板|领导|同学|闺蜜|医生|表[哥姐弟妹]|堂[哥姐弟妹]|姐夫|妹夫|嫂子|舅舅|姑姑|叔叔|阿姨';
/** Words by which somebody says something of themselves or of people with them. */
export const FIRST =
  /\b(?:i|we)\b(?:'|’)?|我(?!那[个位]|[妈爸哥姐弟妹爷奶儿女老家表堂外舅姑叔姨婆公岳邻]|们?的|男|女|朋友|同事|室友|同学|先生|太太|对象|闺蜜|房东|丈夫|妻子|父|母)|我们(?![家的老公领])|咱们?/iu;
/** Words by which somebody speaks of themselves. */
export const OWN = /\b(?:i|my|me|mine|we|our|us)\b|我|咱|俺/iu;
const KIN = new RegExp(
  `\\b(?:my|our|his|her|their|a) (?:\\w+ )?(?:mother|mom|mum|father|dad|sister|brother|son|daughter|wife|husband|partner|girlfriend|boyfriend|aunt|uncle|cousin|niece|nephew|grandma|grandmother|grandpa|grandfather|friend|roommate|flatmate|colleague|coworker|boss|neighbou?r|teacher|doctor|manager|landlord|landlady|fiancée?|kids?|children|parents|in-laws|twins|baby|team|ex)(?:-in-law)?\\b|我?(?:${CHINESE_KIN})|我[舅姑姨叔伯婶]`,
  'iu',
);
const THIRD = /^(?:\W*(?:and|so|then|well|yeah|but)\s+)?(?:he|she|mine|hers)\b|^\W*(?:[他她]|我那[个位])/iu;
const ASKED_OF_THIRD = /\b(?:he|she|him|her|his)\b|[他她]/iu;
const ASKED_OF_KIN =
  /\b(?:is|was|are|were|does|do|did|has|have|hows|how(?:'|’)s) your (?:\w+ )?(?:mother|mom|mum|father|dad|sister|brother|son|daughter|wife|husband|partner|girlfriend|boyfriend|aunt|uncle|cousin|friend|boss|kids?|parents)\b|你(?:爸|妈|哥|姐|弟|妹|儿子|女儿|老公|老婆|孩子|对象|父母)/iu;
/** Turns of phrase with a `you` that is nobody. */
const NOT_ADDRESSED =
  /\b(?:can you believe|would you believe|you know|as you know|you see|mind you|thank you|you won(?:'|’)t believe|let me tell you|i(?:'|’)ll tell you)\b|你(?:知道吗?|看|说|猜)|谢谢你/giu;
const SECOND = /\b(?:you|your|yours)\b|[你您]/iu;
/** Between somebody and `I`: what they say or do about the speaker. */
const ABOUT_SPEAKER =
  /\b(?:says?|said|tells?|told|thinks?|thought|makes?|made|lets?|asked|knows?|wants?|recommended|diagnosed)\b|说|让|叫|觉得|认为|建议|劝|逼|嫌|帮|送|给/iu;
/** A name that a clause begins with, as its subject. */
const NAMED =
  /^\W*(?:(?:and|but|so|then|well|oh|yeah|now|while)\s+)*(\p{Lu}\p{L}{2,})(?:['’]s\s|\s+(?:is|was|isn|wasn|has|had|hasn|got|gets|will|won|can|does|doesn|did|didn|would|wants|needs|thinks|says|said|told|works|lives|loves|likes|hates|plays|kept|came|went|ran|moved|made|took|left|bought|sold|broke|went|lost|gave|found|\p{Ll}{2,20}(?:s|ed) (?:his|her|their|him|them|me|us|it|a|an|the|to))\b)/u;
/** Words that stand for no person where a name may stand. */
const NO_NAMES =
  /^(?:(?:every|some|any|no)(?:one|body|thing)|there|this|that|what|who|just|let|life|work|time|nature|music|art|dance|fingers)$/iu;
const NICKNAME =
  /^[^\p{Script=Han}]*((?:小(?![时孩学区说心朋伙狗猫吃偷])|老(?![家板师公婆是人爸妈外大了要有])|阿(?!姨))\p{Script=Han})/u;
/** Words that say of the speaker too what is said of somebody else. */
const AS_SPEAKER =
  /\b(?:like|as well as) (?:me|us)\b|\b(?:so|as) (?:am|do|did|have|was) I\b|\bme too\b|[跟和像]我一样/iu;
const IN_TEAM = /\b(?:on|in|for) (?:a|his|her|their|the) (?:\w+ )?team\b/iu;
/** What somebody thinks, wants or says is theirs alone, whomever it is about. */
const ATTITUDE =
  /\b(?:thinks?|thought|believes?|wants?|wanted|hopes?|wish(?:es)?|says?|said|feels? that|swears? by)\b|认为|觉得|希望|想要|主张/iu;
/** What somebody thinks of the other: it is said of the other. */
const REGARDS =
  /\b(?:i|we)(?:'|’)?(?:m|ve|d)?\s+(?:\w+\s+){0,2}(?:think|thought|love|like|see|know|knew|heard|hope|admire|bet|appreciate|remember|guess|believe|glad|happy|proud|sorry|impressed)\b|我(?:真|很|就|也)?(?:觉得|知道|听说|看|相信|希望|记得|喜欢|羡慕|佩服|替|为|谢)/iu;
/** Speakers by their part in the conversation alone. */
const GENERIC = /^(?:user|human|me|customer|this person|用户|我|顾客|本人)$/iu;
const INTRODUCED =
  /(?:\bI(?:'|’)m|\bI am|\b[Mm]y name(?:(?:'|’)s| is)|\b[Cc]all me)\s+(\p{Lu}\p{L}{1,20})\b|(?:^|[\s,.!:])(\p{Lu}\p{L}{1,20}) here\b|我(?:叫|名叫)([\p{Script=Han}]{2,4}?)(?=[，,。！!、\s]|$)/gu;

/** The speaker whom a fact is about: whose name it begins with, or who gave that name. */
export function findSubject(
  content: string,
  speakers: readonly string[],
  turns: readonly WindowTurn[] = [],
): { readonly speaker: string; readonly name: string } | undefined {
  const start = content.slice(0, 60).toLowerCase();
  const isWhole = (at: number, name: string): boolean => !/^ \p{Lu}/u.test(content.slice(at + name.length));
  const given = turns
    .filter(({ speaker }) => GENERIC.test(speaker))
    .flatMap(({ speaker, text }) =>
      [...text.slice(0, 500).matchAll(INTRODUCED)].map(([, ...names]) => ({
        speaker,
        name: names.find((name) => name !== undefined) ?? '',
      })),
    );
  const named = [...speakers.map((speaker) => ({ speaker, name: speaker })), ...given]
    .map((one) => ({ ...one, at: start.indexOf(one.name.toLowerCase()) }))
    .filter(({ at, name }) => name !== '' && at >= 0 && at <= 20 && isWhole(at, name));
  return named.sort((a, b) => a.at - b.at || b.name.length - a.name.length)[0];
}

/** A name that a clause has as its subject, if it is none of those given. */
function readSubjectName(part: string): string | undefined {
  if (OWN.test(part)) return undefined;
  if (!/\p{Script=Han}/u.test(part)) {
    const name = NAMED.exec(part)?.[1];
    return name === undefined || isStopWord(name.toLowerCase()) || isOpener(name) || NO_NAMES.test(name)
      ? undefined
      : name;
  }
  const nickname = NICKNAME.exec(part)?.[1];
  return nickname ?? readNames(part).find((name) => part.trimStart().indexOf(name) === 0);
}

/** Whether the clause is said of somebody else than who says it, as far as its subject and those before it tell. */
function findOther({ upTo, turn: { speaker } }: Clause, content: string): string | undefined {
  let other: string | undefined;
  for (const part of upTo) {
    const [first, kin, third] = [part.search(FIRST), part.search(KIN), part.search(THIRD)];
    const between = kin >= 0 && first > kin ? part.slice(kin, first) : '';
    const isTheirView = ATTITUDE.test(between) && ATTITUDE.test(content);
    const isAbout = between !== '' && !isTheirView && (ABOUT_SPEAKER.test(between) || /了我/u.test(part));
    if (AS_SPEAKER.test(part) || (first >= 0 && (kin < 0 || first < kin || isAbout))) other = undefined;
    else if (kin >= 0 || third >= 0) other = KIN.exec(part)?.[0] ?? other ?? 'somebody else';
    else {
      const name = readSubjectName(part);
      // Some speak of themselves by their name.
      other = name !== undefined && speaker.includes(name) ? undefined : (name ?? other);
    }
  }
  return other;
}

/** Whether a turn answers a question about somebody else, and says nothing of its speaker. */
function answersOfOther({ turn }: Clause, { before }: StanceSource): boolean {
  const asked = before.at(-1)?.text ?? '';
  const isOfThird = ASKED_OF_THIRD.test(asked) && !SECOND.test(asked);
  const isAsked = /[?？]\s*$/u.test(asked) && (isOfThird || ASKED_OF_KIN.test(asked));
  return isAsked && !OWN.test(turn.text);
}

/** Whether a clause of another speaker may be said of the one whom the fact is about. */
function isAddressed({ text, sentence }: Clause, subject: string, content: string): boolean {
  if (sentence.toLowerCase().includes(subject.toLowerCase())) return true;
  const [first, second] = [text.search(FIRST), text.replace(NOT_ADDRESSED, ' ').search(SECOND)];
  const isOfTheirs = second >= 0 && countShared(text.slice(second), toUnits(content)) > 1;
  if (second >= 0) return first < 0 || second < first || isOfTheirs || REGARDS.test(text);
  return first < 0 && SECOND.test(sentence.replace(NOT_ADDRESSED, ' '));
}

/** Whether a clause in which the speaker is the subject has something of the fact that the one it is judged by has not. */
function hasOwnPart(content: string, subject: string, { turn, text, upTo }: Clause): boolean {
  const units = [...toUnits(content.replace(subject, ' '))];
  const told = toUnits(upTo.join(' '));
  const after = turn.text.slice(turn.text.indexOf(text) + text.length);
  const others = splitSentences(after)
    .flatMap(splitClauses)
    .filter((part) => FIRST.test(part));
  return others.some((part) => {
    const own = toUnits(part);
    return units.some((unit) => own.has(unit) && !told.has(unit));
  });
}

const OWNED = new RegExp(
  `(\\p{Lu}\\p{L}+)['’]s (?:\\p{Ll}+ )??(\\p{Ll}+)\\b|((?:[小老阿])\\p{Script=Han})的?(${CHINESE_KIN})`,
  'gu',
);

/** Whose kin or thing a sentence tells of, where the fact has it as the subject's: Freja's parents, not the user's. */
function findOwner(content: string, subject: string, sentence: string): string | undefined {
  const rest = content.slice(content.indexOf(subject) + subject.length);
  const owned = /^(?:['’]s (?:\p{Ll}+ )??(\p{Ll}+)\b|的([\p{Script=Han}]{2}))/u.exec(rest);
  const thing = owned?.[1] ?? owned?.[2];
  if (thing === undefined || new RegExp(`\\b(?:my|our) (?:\\w+ )?${thing}\\b|我们?的?${thing}`, 'iu').test(sentence))
    return undefined;
  const kin = /爸妈|父母/u.test(thing) ? ['爸妈', '父母'] : [thing];
  const match = [...sentence.matchAll(OWNED)].find((one) => kin.includes(one[2] ?? one[4] ?? ''));
  const owner = match?.[1] ?? match?.[3];
  return owner === undefined || content.includes(owner) ? undefined : match?.[0];
}

/** Somebody else's thing in a clause that the fact tells of as if it were the subject's: Paul's hip replacement. */
function findOtherOwner(content: string, subject: string, { text, turn }: Clause): string | undefined {
  const units = toUnits(content);
  const owned = [
    ...text.matchAll(/(\p{Lu}\p{L}{1,30})['’]s ((?:\p{Ll}+ )?\p{Ll}{3,})(?= (?!in\b|at\b|to\b|a\b))/gu),
  ].find(([, owner = '', thing = '']) => {
    const things = [...toUnits(thing)];
    const isNoName = isStopWord(owner.toLowerCase()) || isOpener(owner) || NO_NAMES.test(owner);
    const isOthers = !isNoName && owner !== subject && !turn.speaker.includes(owner) && !content.includes(owner);
    return isOthers && things.length > 1 && things.every((unit) => units.has(unit));
  });
  return owned?.[0];
}

/** Whether the subject's own turn next to the evidence has as many of the fact's words: the evidence is off by one. */
function isSaidNearby(
  content: string,
  { speaker, name }: { readonly speaker: string; readonly name: string },
  { turn }: Clause,
  { before, after }: StanceSource,
): boolean {
  const terms = toUnits(content.replace(name, ' '));
  const own = [before.at(-1), after[0]].filter((one) => one?.speaker === speaker).map((one) => one?.text ?? '');
  const shared = Math.max(0, ...own.map((text) => countShared(text, terms)));
  return !/\p{Script=Han}/u.test(content) && shared > 1 && shared >= countShared(turn.text, terms);
}

/** Doubts about whom the words are about, for a fact about one of the speakers. */
export function findPerson(content: string, clause: Clause, source: StanceSource): Doubt | undefined {
  const subject = findSubject(content, source.speakers, source.all);
  if (subject === undefined) return findStranger(content, clause, source);
  const { turn, sentence } = clause;
  const isOwn = turn.speaker === subject.speaker;
  if (!isOwn && !source.evidence.some(({ speaker }) => speaker === subject.speaker)) {
    // In Chinese the speaker is often left out.
    const isOfSpeaker = OWN.test(turn.text) || /\p{Script=Han}/u.test(sentence);
    const isRefused =
      !isAddressed(clause, subject.name, content) && isOfSpeaker && !isSaidNearby(content, subject, clause, source);
    return { reason: `said by ${turn.speaker}`, isRefused };
  }
  if (!isOwn) return undefined;
  const owner = findOwner(content, subject.name, sentence) ?? findOtherOwner(content, subject.name, clause);
  if (owner !== undefined) return { reason: `said of ${owner}`, isRefused: true };
  const other = findOther(clause, content) ?? (answersOfOther(clause, source) ? 'somebody else' : undefined);
  if (other === undefined) return undefined;
  // Another clause, in which the speaker tells of themselves, may say what this one does not.
  const tells = tellsOf(content, subject.name, other) || hasOwnPart(content, subject.name, clause);
  return tells ? undefined : { reason: `said of ${other.trim()}`, isRefused: true };
}

/** Whether a fact about somebody tells of another one as well, as of a sister or by name. */
function tellsOf(content: string, name: string, other: string): boolean {
  const at = content.indexOf(name);
  const rest = content.slice(at + name.length);
  const named = toUnits(other);
  const isNamed =
    rest.includes(other.replace(/^我/u, '')) ||
    (!/\p{Script=Han}/u.test(other) && [...toUnits(rest)].some((unit) => named.has(unit)));
  const near = rest.slice(0, /\p{Script=Han}/u.test(rest) ? 4 : 30).replace(IN_TEAM, ' ');
  const isOfNamed = other === 'somebody else' && /,\s\p{Lu}/u.test(rest);
  const isTheirs = /^\s*(?:['’]s\b|的|家|和|与)/u.test(rest) || /\bof (?:the )?$/iu.test(content.slice(0, at));
  return isNamed || isOfNamed || isTheirs || KIN.test(other === 'somebody else' ? rest : near);
}

const BEGINS_WITH_FIRST =
  /^\W*(?:(?:and|but|so|well|oh|yeah|hi|btw)\W+)*(?:i|we|my)\b|^[^\p{Script=Han}]*(?:对了|其实|那)?我/iu;

/** The name that a fact begins with, as it stands in what was said. */
function findLeadingName(content: string, turns: readonly WindowTurn[]): string | undefined {
  if (!/^\p{Script=Han}/u.test(content)) {
    const [name] = readNames(content.slice(0, 30));
    return name !== undefined && content.startsWith(name) ? name.replace(/['’]s?$/u, '') : undefined;
  }
  const said = turns.map(({ text }) => text).join('\n');
  return [4, 3, 2].map((length) => content.slice(0, length)).find((prefix) => said.includes(prefix));
}

/** Doubts about a fact of somebody who does not speak: its words are said of the speaker, who does not name that person. */
function findStranger(
  content: string,
  { turn, text: clause, sentence, upTo }: Clause,
  source: StanceSource,
): Doubt | undefined {
  // In Chinese the subject stands in the first clause alone.
  const text = /\p{Script=Han}/u.test(clause) ? upTo.join('') : clause;
  const name = findLeadingName(content, source.all);
  if (name === undefined || text.includes(name)) return undefined;
  const isSpeaker = source.speakers.some(
    (speaker) => (speaker !== '' && content.includes(speaker)) || name.includes(speaker),
  );
  const isOther = /\b(?:he|she|they|his|her|their)\b|[他她]/iu.test(sentence) || KIN.test(text);
  if (isSpeaker || isOther || !BEGINS_WITH_FIRST.test(text)) return undefined;
  return { reason: `said of ${turn.speaker}`, isRefused: true };
}
