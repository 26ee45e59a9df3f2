import type { Doubt } from '../doubt.ts';
import { toFactUnits, toSaidUnits } from '../support.ts';
import { type Clause, countShared, toClauses } from './clauses.ts';
import { findSubject, type StanceSource } from './person.ts';

/** A class of function words; a fact that has one of the class itself is told as it was said. */
interface Marker {
  readonly name: string;
  readonly pattern: RegExp;
}

/**
 * The closed classes of words by which a statement is more than a plain one of its speaker: negators, conditionals, modals and
 * words of intention, reporting verbs, words of doubt and contrast.
 */
const MARKERS: readonly Marker[] = [
  {
    name: 'a negation',
    pattern:
      /\b(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|without|hardly|barely|rarely|seldom|cannot)\b|n['’]t\b|[不没未无别]|并非/iu,
  },
  {
    name: 'a condition',
    pattern:
      /\b(?:if|unless|whether|suppose|supposing|assuming|otherwise|wish|almost|nearly|as though)\b|如果|要是|假如|假设|万一|的话|除非|倘若|若|否则|差点|差一点|本来|仿佛|好像/iu,
  },
  {
    name: 'a modal',
    pattern:
      /\b(?:would|could|should|might|may|must|will|shall|can|maybe|perhaps|possibly|probably|supposed|ought|gonna|wanna)\b|['’](?:d|ll)\b|可能|也许|或许|大概|应该|会|能|可以|要|想|愿|希望|打算|计划|准备|考虑|将/iu,
  },
  {
    name: 'an intention',
    pattern:
      /\b(?:want|wants|wanted|hope|hopes|hoping|hoped|plan|plans|planning|planned|intend\w*|consider\w*|think|thinking|thought|dream\w*|going to|about to|trying to|tempted|apply|applied|applying|offered|asked|invited|suggested|recommend\w*|advis\w*|expect\w*|looking)\b|申请|报名|建议|邀请|推荐|让我|叫我|劝/iu,
  },
  {
    name: 'a report',
    pattern:
      /["“”「」『』]|\b(?:said|says?|saying|tells?|told|claims?|claimed|swears?|insists?|heard|reads?|wrote|according|apparently|called?|calls|believes?|thinks)\b|说|称|听说|据说|认为|觉得|以为|写道|书里|片里|剧里/iu,
  },
  {
    name: 'an end',
    pattern:
      /\b(?:used to|former|formerly|once|back when|until|ex|quit|stopped|gave up|before|ago|anymore|any more|sold|left)\b|曾|以前|从前|过去|原来|当年|后来|戒|放弃|取消|辞|离|卖/iu,
  },
];

/** Another person whom a sentence may be about: pronouns of the third person, kinship, ranks. */
const OTHERS =
  /\b(?:he|she|they|him|her|his|hers|their|them|who|someone|somebody|everyone|everybody|people|you|your|(?:mother|mom|mum|father|dad|parents?|sister|brother|siblings?|son|daughter|kids?|child(?:ren)?|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|aunt|uncle|cousin|niece|nephew|grand\p{Ll}+|friend|buddy|pal|roommate|flatmate|housemate|colleague|coworker|boss|manager|neighbou?r|teacher|coach|doctor|landlord|landlady|guy|lady|man|woman|in-laws?|twins?)s?)\b|[他她您你]|人家|别人|有人|大家|爸|妈|父|母|哥|姐|弟|妹|爷|奶|公公|婆|儿子|女儿|孩子|老公|老婆|丈夫|妻子|对象|男友|女友|朋友|同事|室友|邻居|房东|老板|领导|同学|闺蜜|老师|医生|教练|叔|姨|舅|姑|嫂|客户|师傅/giu;

const LAUGHTER =
  /\b(?:ha){2,}h?\b|\b(?:lol|lmao|rofl|jk|kidding|joking|sarcas\w+|yeah right|sure thing)\b|\/s\b|[😂🤣😜😏🙄😅😉🙃]|哈哈|嘿嘿|呵呵|玩笑|才怪|真棒|逗|笑死/iu;
/** The share of a fact's units that plain statements of its subject must have; set on the labelled development cases. */
const PLAIN_SHARE = 0.5;

/** The month, which is no modal. */
const MAY = /(?<=\b(?:in|of|since|until|by|from|to|early|mid|late|last|next|this|\d{1,2})[ -])May\b|\bMay(?= \d)/gu;

/** What makes a sentence more than a plain statement, as far as the fact does not have the same. */
function findMarker(content: string, sentence: string): string | undefined {
  const [told, said] = [content.replace(MAY, ' '), sentence.replace(MAY, ' ')];
  return MARKERS.find(({ pattern }) => pattern.test(said) && !pattern.test(told))?.name;
}

function namesOthers(content: string, sentence: string): boolean {
  const told = content.toLowerCase();
  return [...sentence.matchAll(OTHERS)].some(([word]) => !told.includes(word.toLowerCase()));
}

/**
 * Whether a fact is put together of plain statements of the one whom it is about. Of anything else rules cannot say whether it was
 * meant: they know forms of speech alone.
 */
export function findUnplain(content: string, source: StanceSource): Doubt | undefined {
  const doubt = (reason: string): Doubt => ({ reason: `not said plainly: ${reason}`, isRefused: false });
  const subject = findSubject(content, source.speakers, source.all);
  const terms = toFactUnits(subject === undefined ? content : content.replace(subject.name, ' '));
  if (terms.size === 0) return undefined;
  if (subject === undefined) return doubt('of nobody who speaks');
  const own = source.evidence.filter(({ speaker }) => speaker === subject.speaker);
  const clauses = own.flatMap((turn) => toClauses(turn, terms)).filter(({ shared }) => shared > 0);
  if (clauses.length === 0) return doubt('nothing of it by its subject');
  const sentences = [...new Map(clauses.map((clause): [string, Clause] => [clause.sentence, clause])).values()];
  const toReason = ({ sentence, turn }: Clause): string | undefined => {
    if (/[?？]\s*$/u.test(sentence)) return 'a question';
    if (LAUGHTER.test(turn.text)) return 'laughter';
    if (namesOthers(content, sentence)) return 'somebody else';
    return findMarker(content, sentence);
  };
  const plain = sentences.filter((one) => toReason(one) === undefined);
  const said = new Set(plain.flatMap(({ sentence }) => [...toSaidUnits(sentence)]));
  const share = [...terms].filter((term) => said.has(term)).length / terms.size;
  const all = countShared(sentences.map(({ sentence }) => sentence).join(' '), terms) / terms.size;
  if (share >= PLAIN_SHARE) return undefined;
  if (all < PLAIN_SHARE) return doubt('few of its words');
  return doubt(sentences.map(toReason).find((reason) => reason !== undefined) ?? 'few of its words');
}
