import { parseMoment } from '@contextloom/retrieval/time';
import { toRowTime } from '../chat-row.ts';
import { fromIso } from '../json/json-values.ts';
import type { FoundTurn, Out, Reader } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';
import { said } from '../words.ts';

/** `## User`, `**User**`, `_**Assistant (2025-03-05 09:00Z)**_` and `**Human** (2025-03-05 09:00:00)` in a line of their own. */
const HEADING =
  /^(?:#{1,6}\s+(?:\*\*)?(?<name>[^*:：#()]{1,30}?)(?:\*\*)?|_?\*\*(?<bold>[^*:：#()]{1,30}?)(?: \((?<inside>[^()*]{1,60})\))?[:：]?\*\*_?)\s?(?:\((?<after>[^()]{1,60})\))?\s?[:：]?\s*$/u;
const USER = /^(?:user|you|human|me|prompt|用户|我|你)$/iu;
const NAMES =
  'assistant|agent|ai|bot|model|chatgpt|gpt[-\\w.]{0,20}|claude|gemini|copilot|deepseek|cursor|grok|perplexity|mistral|le chat|llama[-\\w.]{0,20}|qwen[-\\w.]{0,20}|kimi|answer|response|助手|回答|豆包|文心一言|通义千问|元宝';
const ASSISTANT = new RegExp(`^(?:${NAMES})$`, 'iu');

/** What pages of assistants have above each message for those who hear them: `You said:`, `ChatGPT said:`, `你说：`. */
const SAID = new RegExp(
  String.raw`^(?:#{1,6}\s+)?(?:(?<user>you said|[你您][说說]|du hast gesagt|sie haben gesagt|vous avez dit|tu as dit|dijiste|has dicho|hai detto|você disse|вы сказали)|(?<name>(?:o )?(?:${NAMES}))\s?(?:said|responded|replied|[说說]|hat gesagt|a dit|dijo|ha dicho|ha detto|disse|сказала?))\s?[:：]?$`,
  'iu',
);

/** Exporters of browsers put a picture before who speaks: `## 👤 User`. */
const PICTURE = /^(#{1,6}\s+|_?\*\*)(?:\p{Extended_Pictographic}|\uFE0F|\u200D){1,8}\s{0,3}/u;

const MAX_HEADING = 80;

/** The time that stands with a name; what else stands there, such as the model, tells none. */
function toTime(text: string | undefined): Pick<FoundTurn, 'at' | 'wall'> {
  if (text === undefined || !/\d:\d{2}/u.test(text)) return {};
  const moment = toRowTime(text) === undefined ? parseMoment(text) : undefined;
  if (moment === undefined) return toRowTime(text) ?? {};
  return /(?:Z|[+-]\d{2}:?\d{2})$/u.test(text) ? { at: moment } : { wall: moment.slice(0, 19) };
}

type Head = Pick<FoundTurn, 'role' | 'speaker' | 'at' | 'wall'>;

function toHead(line: string): Head | undefined {
  if (line.length > MAX_HEADING) return undefined;
  const said = SAID.exec(line.trim())?.groups;
  if (said !== undefined)
    return { speaker: said['name'] ?? '', role: said['user'] === undefined ? 'assistant' : 'user' };
  const groups = HEADING.exec(line.replace(PICTURE, '$1'))?.groups;
  const speaker = groups?.['name'] ?? groups?.['bold'];
  if (speaker === undefined || !(USER.test(speaker) || ASSISTANT.test(speaker))) return undefined;
  const role = USER.test(speaker) ? 'user' : 'assistant';
  return { speaker, role, ...toTime(groups?.['inside'] ?? groups?.['after']) };
}

function readLine(line: string): HeadedLine | undefined {
  const turn = toHead(line);
  return turn === undefined ? undefined : { kind: 'head', turn, text: '' };
}

/** What ChatGPT Exporter writes below the last message. */
const FOOTER = /(?:^|\n)-{3,}\s*\nPowered by \[[^\]\n]{1,80}\]\([^()\n]{1,200}\)$/u;

/** Between messages stands a rule. */
function toWords(text: string) {
  const words = text
    .replace(FOOTER, '')
    .replace(/\n-{3,}$/u, '')
    .trim();
  return said(/^-{3,}$/u.test(words) ? '' : words);
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
    const roles = new Set(lines.map((line) => toHead(line)?.role));
    return roles.has('user') && roles.has('assistant');
  },
  read: (out) => createHeadedLineSink({ readLine, toWords }, withTimes(out)),
};
