import { toRowTime } from '../chat-row.ts';
import { fromIso } from '../json/json-values.ts';
import type { FoundTurn, Out, Reader } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';

/** `## User`, `**User**` and `_**Assistant (2025-03-05 09:00Z)**_` in a line of their own. */
const HEADING =
  /^(?:#{1,6}\s+(?:\*\*)?(?<name>[^*:：#]{1,30}?)(?:\*\*)?\s*[:：]?|_?\*\*(?<bold>[^*:：#()]{1,30}?)(?: \([^()*]{1,40}\))?[:：]?\*\*_?[:：]?)\s*$/u;
const USER = /^(?:user|you|human|me|prompt|用户|我|你)$/iu;
const NAMES =
  'assistant|ai|bot|model|chatgpt|gpt[-\\w.]{0,20}|claude|gemini|copilot|deepseek|cursor|grok|perplexity|mistral|le chat|llama[-\\w.]{0,20}|qwen[-\\w.]{0,20}|kimi|answer|response|助手|回答|豆包|文心一言|通义千问|元宝';
const ASSISTANT = new RegExp(`^(?:${NAMES})$`, 'iu');

/** What pages of assistants have above each message for those who hear them: `You said:`, `ChatGPT said:`, `你说：`. */
const SAID = new RegExp(
  String.raw`^(?:#{1,6}\s+)?(?:(?<user>you said|[你您][说說]|du hast gesagt|sie haben gesagt|vous avez dit|tu as dit|dijiste|has dicho|hai detto|você disse|вы сказали)|(?<name>(?:o )?(?:${NAMES}))\s?(?:said|responded|replied|[说說]|hat gesagt|a dit|dijo|ha dicho|ha detto|disse|сказала?))\s?[:：]?$`,
  'iu',
);

/** Exporters of browsers put a picture before who speaks: `## 👤 User`. */
const PICTURE = /^(#{1,6}\s+|_?\*\*)(?:\p{Extended_Pictographic}|\uFE0F|\u200D){1,8}\s{0,3}/u;

const MAX_HEADING = 80;

function toRole(line: string): { readonly name: string; readonly role: FoundTurn['role'] } | undefined {
  if (line.length > MAX_HEADING) return undefined;
  const said = SAID.exec(line.trim())?.groups;
  if (said !== undefined) return { name: said['name'] ?? '', role: said['user'] === undefined ? 'assistant' : 'user' };
  const groups = HEADING.exec(line.replace(PICTURE, '$1'))?.groups;
  const name = groups?.['name'] ?? groups?.['bold'];
  if (name === undefined) return undefined;
  if (USER.test(name)) return { name, role: 'user' };
  return ASSISTANT.test(name) ? { name, role: 'assistant' } : undefined;
}

function readLine(line: string): HeadedLine | undefined {
  const found = toRole(line);
  if (found === undefined) return undefined;
  return { kind: 'head', turn: { role: found.role, speaker: found.name }, text: '' };
}

/** What ChatGPT Exporter writes below the last message. */
const FOOTER = /(?:^|\n)-{3,}\s*\nPowered by \[[^\]\n]{1,80}\]\([^()\n]{1,200}\)$/u;

/** Between messages stands a rule. */
function toWords(text: string) {
  const words = text
    .replace(FOOTER, '')
    .replace(/\n-{3,}$/u, '')
    .trim();
  return words === '' || /^-{3,}$/u.test(words) ? { leftOut: 'empty message' } : { text: words };
}

const TIME_TAG = /^<time datetime="([^"<>]{10,40})"[^<>]{0,80}>[^<>]{0,40}<\/time>$/u;
const MAX_TIME = 160;

/** A turn without the line that tells its time, above the words, as ChatGPT's exporters write it. */
function toTimed(turn: FoundTurn): FoundTurn {
  const [first = ''] = turn.text.slice(0, MAX_TIME).split('\n');
  const stamp = first.trim();
  const tagged = TIME_TAG.exec(stamp)?.[1];
  const time = tagged === undefined && stamp.length > 40 ? undefined : (tagged && fromIso(tagged)) || toRowTime(stamp);
  const words = turn.text.slice(first.length).trim();
  if (time === undefined || words === '' || (time.at === undefined && time.wall === undefined)) return turn;
  return { ...turn, ...time, text: words };
}

const withTimes = (out: Out): Out => ({ ...out, turn: (turn) => out.turn(toTimed(turn)) });

/** A chat with an assistant saved as Markdown: a heading, or a name in bold on its own, tells who speaks. */
export const markdownChat: Reader = {
  name: 'markdown-chat',
  title: 'Markdown chat',
  detect: ({ lines }) => {
    const roles = new Set(lines.map((line) => toRole(line)?.role));
    return roles.has('user') && roles.has('assistant');
  },
  read: (out) => createHeadedLineSink({ readLine, toWords }, withTimes(out)),
};
