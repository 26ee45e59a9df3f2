import type { Clause, Subject } from './rule.ts';
import { ADVERB, CIRCLE, DATE, FEELING, HABIT, KIN, LEAD, STRONG_FEELING } from './zh-words.ts';

const CLAUSE_BORDER = /[，,；;：:…—（）()]+|\s+|(?<=[^但可不])(?=(?:因为|所以|但是|可是|不过|而且|然后)(?:我|他|她))/u;
const LEADS = new RegExp(`^(?:${LEAD})+`, 'u');
const SUBJECTS: readonly (readonly [Subject, RegExp])[] = [
  ['kin', new RegExp(`^(?:我们?家?的?|咱们?)(?:大|小|二|老|那个?|这个?)?${KIN}(?:[和跟]我?的?${KIN})?(?:们|俩)?`, 'u')],
  ['named', new RegExp(`^我们?的?(?:一个|有个|那个)?${CIRCLE}(?!是我|家)`, 'u')],
  [
    'self',
    /^(?=我们?的?(?:名字|姓|生日|电话|手机号|微信|地址|工作|职业|专业|老家|家乡|目标|梦想|理想|愿望|爱好|兴趣|星座|血型|身高|体重|年龄|邮箱|英文名|计划|最爱)(?:[是在叫：]|还是))/u,
  ],
  ['self', new RegExp(`^(?:我们?|咱们?|俺|本人)(?:和|跟)我?的?(?:${KIN}|\\S{2,3}?(?=去|要|在|一起))`, 'u')],
  ['self', /^(?:我们俩?|我俩|我自己|我|咱们俩?|俺|本人)(?!的)/u],
  ['self', /^(?:我们?|咱们?)的/u],
  ['you', /^(?:你们?|您|大家)/u],
  ['named', /^(?:他们?|她们?)/u],
  ['thing', /^(?:它们?|这|那|有人|别人|什么|谁|哪)/u],
];
/** Chinese leaves the speaker out: `昨天去爬山了`, `准备下个月搬家`. */
const ELIDED = new RegExp(
  `^(?:有|去|来|买|吃|看|见|做|学|玩|打算|准备|计划|决定|想|要|希望|喜欢|讨厌|刚|在|参加|报名|开始|辞职|结婚|离婚|毕业|搬|换|收到|拿到|带|陪|跑|住|养|生|怀孕|确诊|感冒|发烧|加班|考|面试|考试|${FEELING}|${STRONG_FEELING})`,
  'u',
);
/** `不错`, `不过` and their like only look like a denial. */
const DENIES_FACT =
  /^(?:再也不|从来不|从不|并不|不再|不是很|不太|不怎么|不会再|不(?!错|好意思|过|小心|得不|仅|但|管|同|如|少|知不觉|光|止))/u;
const DENIES_EVENT = /^(?:从来没有?|从没有?|并没有?|还没有?|没有?(?!关系|问题|事|准|想到|意思))/u;
const HAS_NONE = new RegExp(`^没有?(?:${KIN}|任何|钱|工作|房|车|兄弟|宗教|对象)`, 'u');
const ASKED = /[？?]["”』」）)\s]*$/u;
const ASKING_END = /吗[~～。.!！]*$/u;
const ASKING_WORD =
  /什么|怎么|为什么|哪[里儿个些]?|谁|几[个岁点号]|多少|多久|是不是|有没有|会不会|要不要|能不能|好不好|对不对|喜不喜欢/u;
const SUPPOSED = /^(?:如果|要是|假如|假设|万一|倘若|除非|哪怕|就算|即使|要不是)|的话$/u;

type VerbGroup = Pick<Clause, 'said' | 'denied'>;

/** What stands before the main verb, and what it says about it; the first that matches is taken off. */
const AUXILIARIES: readonly { readonly word: RegExp; readonly denied?: Clause['denied'] }[] = [
  { word: DENIES_FACT, denied: 'fact' },
  { word: DENIES_EVENT, denied: 'event' },
  { word: new RegExp(`^${ADVERB}`, 'u') },
];

/** Takes adverbs and denials off the front; `没有` before a noun is `有`, denied. */
function readVerbGroup(text: string): VerbGroup {
  let rest = text.replace(/[。.!！?？~～\s"”]+$/u, '');
  let denied: Clause['denied'] = 'no';
  for (;;) {
    if (HAS_NONE.test(rest)) return { said: rest.replace(/^没有?/u, '有'), denied: 'fact' };
    const found = AUXILIARIES.find(({ word }) => word.test(rest));
    if (found === undefined) return { said: rest, denied };
    rest = rest.replace(found.word, '');
    denied = found.denied ?? denied;
  }
}

function toTense(clause: string, { said, denied }: VerbGroup): Clause['tense'] {
  if (/^(?:要|会|将|打算|准备|计划|决定)/u.test(said) || /(?:明天|后天|明年|下个?(?:周|月|星期))/u.test(clause)) {
    return 'future';
  }
  const isPast = /[了过](?!不起|解|分|敏|来人|程|来$)|昨|去年|以前|刚/u.test(clause);
  // `不喝酒了` tells what is true from now on.
  return isPast && denied !== 'fact' ? 'past' : 'present';
}

function findSubject(clause: string, speakers: ReadonlySet<string>, carried: Subject | undefined) {
  for (const [subject, pattern] of SUBJECTS) {
    const match = pattern.exec(clause);
    if (match !== null) return { subject, rest: clause.slice(match[0].length) };
  }
  const name = [...speakers].find((speaker) => /\p{Script=Han}/u.test(speaker) && clause.startsWith(speaker));
  if (name !== undefined) return { subject: 'named' as const, rest: clause.slice(name.length) };
  const said = readVerbGroup(clause).said;
  if (carried !== undefined && carried !== 'thing') return { subject: carried, rest: clause };
  return { subject: ELIDED.test(said) ? ('self' as const) : ('thing' as const), rest: clause };
}

/**
 * Takes a Chinese sentence apart into clauses; a clause without a subject is about the one before it. A question keeps the
 * statements before its last clause (`我对花生过敏，可以吃吗？`).
 */
export function parseChinese(sentence: string, speakers: ReadonlySet<string>): readonly Clause[] {
  const isDated = DATE.test(sentence);
  const isHabit = HABIT.test(sentence);
  const isQuestion = ASKED.test(sentence) || ASKING_END.test(sentence.trim());
  const isSupposed = SUPPOSED.test(sentence.trim());
  const parts = sentence
    .trim()
    .split(CLAUSE_BORDER)
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
  const clauses: Clause[] = [];
  for (const [index, part] of parts.entries()) {
    const clause = part.replace(LEADS, '');
    const { subject, rest } = findSubject(clause, speakers, clauses.at(-1)?.subject);
    const isLast = index === parts.length - 1;
    const asksYou = subject === 'you' && (isQuestion || ASKING_WORD.test(part));
    const isAsked = asksYou || (isQuestion && (isLast || ASKING_WORD.test(part)));
    const group = readVerbGroup(rest);
    const mood = isAsked ? 'asked' : isSupposed || SUPPOSED.test(part) ? 'supposed' : 'told';
    clauses.push({ subject, ...group, mood, tense: toTense(part, group), isDated, isHabit });
  }
  return clauses;
}
