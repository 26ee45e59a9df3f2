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
export function isReported(text: string, start: number, end: number): boolean {
  const sentence = toSentence(text, start, end);
  const tellers = [ENGLISH_REPORT, INVERTED_REPORT, CHINESE_REPORT].flatMap((pattern) =>
    [...sentence.matchAll(pattern)].map(({ groups }) => groups?.['teller'] ?? ''),
  );
  return tellers.some((teller) => teller.trim() !== '' && !NO_TELLER.test(teller) && !PASSIVE.test(teller));
}
