/** A line that opens or closes a block of code or of pasted text. */
const FENCE = /^ {0,3}(```|~~~|""")/u;
const QUOTED_LINE = /^ {0,3}>/u;
/** An element that programs put around a file or an answer of a tool. */
const ELEMENT =
  /^\s{0,8}<(document|documents|file|attachment|article|page|web_?page|email|quote|blockquote|source|context|tool_result|function_results|search_results)(?:\s[^<>]{0,200})?>/iu;
/** What mail programs write above a letter that is answered or passed on. */
const FORWARDED =
  /^\s{0,8}(?:-{2,20} ?(?:original message|forwarded message|原始邮件|转发的邮件|转发邮件|転送メッセージ) ?-{2,20}|begin forwarded message:|开始转发的邮件[:：])\s{0,8}$/iu;

const KINDS_EN =
  'article|e-?mail|letter|document|report|web ?page|paper|review|blog post|post|transcript|log|output|excerpt|press release|contract|invoice|search results?|tool results?|results? of the tool';
const KINDS_HAN =
  '文章|邮件|来信|文档|文件|报告|网页|论文|评论|帖子|日志|输出|原文|材料|新闻|合同|搜索结果|工具结果|工具返回';
const KINDS_JA = '記事|メール|手紙|文書|報告書|ページ|論文|レビュー|ログ|出力|検索結果';
/** Words that say: what comes after the colon is somebody else's text. */
const ANNOUNCED = new RegExp(
  [
    String.raw`\b(?:this|the|following|these|attached|here is an?|here's an?|here is the|here's the) (?:[\p{L}'’-]{1,20} ){0,3}?(?:${KINDS_EN})\b[^.!?:：\n]{0,60}:(?=\s)`,
    String.raw`(?:这|下面|以下|附上|那)[^。！？:：\n]{0,10}(?:${KINDS_HAN})[^。！？:：\n]{0,12}[:：]`,
    String.raw`(?:この|次の|以下の)[^。！？:：\n]{0,10}(?:${KINDS_JA})[^。！？:：\n]{0,12}[:：]`,
  ].join('|'),
  'iu',
);

/** A text, apart: the words of whoever wrote it, and those that they pasted. */
export interface Quoted {
  readonly own: string;
  readonly quoted: string;
}

/** Where what is pasted in a line that opens something ends: at its fence, at its closing tag, or never. */
interface Open {
  readonly end: RegExp | undefined;
}

function toOpen(line: string): Open | undefined {
  const [, fence] = FENCE.exec(line) ?? [];
  if (fence !== undefined) return { end: new RegExp(`^ {0,3}${fence}\\s*$`, 'u') };
  const [, element] = ELEMENT.exec(line) ?? [];
  if (element !== undefined) return { end: new RegExp(`</${element}>`, 'iu') };
  return FORWARDED.test(line) ? { end: undefined } : undefined;
}

/**
 * Takes a message apart by exact marks: fences, `>` before lines, elements such as `<document>`, forwarded mails, and what comes after
 * "this article:" or 以下文章：. What has none of these marks is the writer's own.
 */
export function splitQuoted(text: string): Quoted {
  const own: string[] = [];
  const quoted: string[] = [];
  let open: Open | undefined;
  for (const line of text.split('\n')) {
    if (open !== undefined) {
      quoted.push(line);
      if (open.end?.test(line) === true) open = undefined;
      continue;
    }
    const opening = toOpen(line);
    if (opening !== undefined || QUOTED_LINE.test(line)) {
      quoted.push(line);
      const isClosed = opening?.end !== undefined && !FENCE.test(line) && opening.end.test(line);
      open = isClosed ? undefined : opening;
      continue;
    }
    const announced = ANNOUNCED.exec(line);
    const end = announced === null ? line.length : announced.index + announced[0].length;
    own.push(line.slice(0, end));
    if (announced !== null) {
      quoted.push(line.slice(end));
      open = { end: undefined };
    }
  }
  return { own: own.join('\n'), quoted: quoted.join('\n') };
}

/** Whether a message holds pasted text. */
export function hasQuoted(text: string): boolean {
  return splitQuoted(text).quoted.trim() !== '';
}
