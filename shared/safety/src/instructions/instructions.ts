import { toReadings } from '../readings/readings.ts';
import { chineseOrders, chineseTalk } from './chinese.ts';
import * as chinese from './chinese-standing.ts';
import { englishCalls, englishOrders, englishTalk } from './english.ts';
import * as english from './english-standing.ts';
import { otherOverrides, otherRoles } from './other-languages.ts';

/** UTF-16 units that are judged at once. An expression may need the square of that, and no more, however long the text. */
const WINDOW = 800;
/** What two neighbours share, so that no order falls between them. */
const OVERLAP = 300;

/** Cuts a text into windows that overlap; one that begins inside the text begins with `…`, so that nothing looks like a start. */
function toWindows(text: string): readonly string[] {
  if (text.length <= WINDOW) return [text];
  const windows: string[] = [text.slice(0, WINDOW)];
  for (let start = WINDOW - OVERLAP; start + OVERLAP < text.length; start += WINDOW - OVERLAP) {
    windows.push(`…${text.slice(start, start + WINDOW)}`);
  }
  return windows;
}

/** The signs by which chat templates and interfaces divide speakers; they have no place in a fact. Lower case. */
const chatMarkup: readonly RegExp[] = [
  // ChatML, Llama 3, Phi and their like: <|im_start|>, <|eot_id|>
  /<\|[a-z_]{2,30}\|>/u,
  // Llama 2 and Mistral
  /\[\/?inst\]|<<\/?sys>>/u,
  // Sections of prompts written with tags, and tool calls as models write them
  /<\/?(?:system|assistant|instructions?|system[_-]?(?:prompt|message|instructions?|reminder)|developer|tool_(?:call|use|result)s?|function_(?:call|result)s?|invoke)(?:\s[^<>]{0,100})?>/u,
  /\[(?:system|assistant|system (?:message|prompt|note|instructions?)|\/?instructions?)\]/u,
  // Alpaca: "### Instruction:", and what imitates it
  /^[ \t]*#{1,6} ?(?:new |updated )?(?:system|instructions?|assistant|human|response|developer)(?: (?:prompt|message|instructions?))? ?:/mu,
  /^[ \t]*#{3,6} ?(?:system|instructions?|assistant|human)(?: (?:prompt|message|instructions?))?[ \t]*$/mu,
  // Turns of a transcript
  /^[ \t>*-]*(?:human|assistant|system|system (?:prompt|message|note|override))\*{0,2} ?:/mu,
  /^[ \t>*-]*(?:系统(?:提示词?|指令|消息|信息|通知)?|助手|助理|人类) ?:/mu,
  /^[ \t>*-]*(?:システム(?:プロンプト|メッセージ|指示|通知)?|アシスタント|人間) ?:/mu,
  /["']role["'] ?: ?["'](?:system|assistant|developer|tool)["']/u,
  /(?<!-)-{3,40} ?(?:begin|end|start)(?: of)?(?: the)? (?:system|prompt|instructions?|context|user input)/u,
  // A picture whose address carries data away
  /!\[[^\]\n]{0,100}\]\(https?:\/\//u,
];

/** Who does not excuse an order by having said it: what is addressed to the assistant comes in their names. */
const NO_TELLER =
  /\b(?:users?|assistant|ai|model|system|admin\w*|developers?|owner|openai|anthropic|prompt|notes?|messages?|instructions?|rules?)\b|用户|助手|系统|管理员|开发者|模型|指令|消息/u;
/** Words before which `asked` and its like tell of no teller: `when asked`, `as told`. */
const PASSIVE = /\b(?:when|whenever|if|once|unless|as|are|is|be|being|to|and)\s*$/u;
/** Somebody tells somebody else, not the reader, what was said; with the words before, which say who. */
const ENGLISH_REPORT =
  /(?<teller>(?:[\w'’-]+ ){1,3}|^)(?:told|said|says|say|tells|asks|asked|wrote|writes|texts|texted|whispers|whispered|warns|warned|reminds|reminded|teaches|taught|jokes|joked|laughs|laughed|shouts|shouted|promised|insists|insisted|announced|teased|begged|explained|replied|mailed|messaged|scolded|advises|advised|suggested|sighed|yelled|cried|muttered|claimed|ordered|demanded)\b(?! you\b)/gu;
const INVERTED_REPORT =
  /\b(?:said|says|asked|wrote|whispered|warned|joked|laughed|shouted|teased|begged|replied|sighed|yelled|cried|muttered) (?:my|our|his|her|their|the|an?) (?<teller>[\w'’-]+)/gu;
const CHINESE_REPORT =
  /(?<teller>[^,。!?:;"\n]{1,10}?)(?:说|问|告诉|提醒|劝|催|写道|写着|叮嘱|喊|嘱咐|要求|建议|广播|通知|教|骂|求|分配)(?=我|他|她|咱|大家|孩子|道|着|过|了|的[,。]|[,:。!?"]|$)(?!我?你)/gu;
const SENTENCE_END = /[.!?。\n]/u;
/** UTF-16 units on each side of an order in which somebody may be named who gave it. */
const NEAR = 160;

/** The sentence that a place in a text lies in, as far as it is near; a quotation does not end at the mark inside it. */
function toSentence(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - NEAR), start);
  const after = text.slice(end, end + NEAR);
  const from = [...before].findLastIndex((character) => SENTENCE_END.test(character));
  const closing = /[.!?。\n](?!["”」'])|[.!?。]["”」'](?!\s*[\p{Ll}\p{Script=Han},，])/u.exec(after);
  return before.slice(from + 1) + text.slice(start, end) + (closing === null ? after : after.slice(0, closing.index));
}

/**
 * Whether what stands at a place of a lower-case text is told as said by somebody to somebody, such as `call me Sasha, she told
 * her class`: a memory of talk between people.
 */
function isReported(text: string, start: number, end: number): boolean {
  const sentence = toSentence(text, start, end);
  const tellers = [ENGLISH_REPORT, INVERTED_REPORT, CHINESE_REPORT].flatMap((pattern) =>
    [...sentence.matchAll(pattern)].map(({ groups }) => groups?.['teller'] ?? ''),
  );
  return tellers.some((teller) => teller.trim() !== '' && !NO_TELLER.test(teller) && !PASSIVE.test(teller));
}

/** What is written for an assistant even where somebody is said to have said it. */
const ORDERS: readonly RegExp[] = [
  ...chatMarkup,
  ...englishOrders,
  ...chineseOrders,
  ...otherOverrides,
  ...english.setAside,
  ...english.againstUser,
  ...english.disclosing,
  ...english.addressing,
  ...english.authority,
  ...chinese.setAside,
  ...chinese.againstUser,
  ...chinese.disclosing,
  ...chinese.addressing,
  ...chinese.authority,
];
/** What people also say to each other: a memory of that is a memory. */
const TALK: readonly RegExp[] = [
  ...englishTalk,
  ...chineseTalk,
  ...english.standing,
  ...chinese.standing,
  ...otherRoles,
];

function isTalkForAssistant(text: string, pattern: RegExp): boolean {
  const match = pattern.exec(text);
  return match !== null && !isReported(text, match.index, match.index + match[0].length);
}

function isForAssistant(window: string): boolean {
  return (
    [...ORDERS, ...englishCalls].some((pattern) => pattern.test(window)) ||
    TALK.some((pattern) => isTalkForAssistant(window, pattern))
  );
}

/**
 * Whether a text is written for the assistant rather than about the user: orders, changes of its role, chat markup, in
 * whatever disguise. How somebody wishes to be spoken to, told as a fact about them, is none, and neither is what people
 * say to each other. The time is linear in its length.
 */
export function isInstruction(text: string): boolean {
  return toReadings(text).flatMap(toWindows).some(isForAssistant);
}

/**
 * Whether a text would turn an assistant against whom it works for: to drop its instructions, show them, be another, send data away. A
 * rule of work ("from now on, never run commands as root") is an order too, and none of these. The time is linear in its length.
 */
export function isTakeover(text: string): boolean {
  return toReadings(text)
    .flatMap(toWindows)
    .some((window) => ORDERS.some((pattern) => pattern.test(window)));
}
