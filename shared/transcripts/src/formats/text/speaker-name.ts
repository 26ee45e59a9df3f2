/** Words that stand before a colon without being anybody's name. */
const NO_NAME =
  /^(?:notes?|p\.?s|n\.?b|todo|warning|error|https?|ftp|mailto|e\.?g|i\.?e|examples?|update|edit|tips?|hint|subject|re|fwd|total|price|created(?:[_ ](?:time|at|date))?|updated(?:[_ ](?:time|at|date))?|modified|date|tags?|categor(?:y|ies)|status|location|source|title|author|type_?|id|parent_id|address|phone|tel|e-?mail|url|link|time|step|summary|ingredients|注|注意|备注|例如|比如|譬如|提示|地址|电话|时间|日期|标签|标题|作者|来源|状态|创建时间|更新时间|总结|结论|链接|网址|价格)$/iu;
/** `2023-05-12 Ann` and `1.2.3 Fixed`: a day or a version before a word is no part of a name. */
const NUMBERED = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?!\d)/u;
/** `他说：“…”` reports speech, it does not begin a turn. */
const REPORTED = /(?:说|说道|问|问道|回答|喊|写道|叫|是|有|如下|包括)$/u;

/** Whether the words before a colon can be a speaker: one to three words, capitalised when there are several. */
export function isName(text: string): boolean {
  const words = text.trim().split(/\s+/u);
  if (words.length > 3 || /[!?。！？，,;；"“”<>{}|\\/=]/u.test(text) || /^\d+$/u.test(text.trim())) return false;
  if (NO_NAME.test(text.trim()) || NUMBERED.test(text.trim())) return false;
  const isHan = /\p{Script=Han}/u.test(text);
  if (isHan) return [...text.trim()].length <= 12 && (text.trim().length === 1 || !REPORTED.test(text.trim()));
  return words.length === 1 || words.every((word) => !/^\p{Ll}/u.test(word));
}
