import type { ChatKind } from './chat-kind.ts';
import { insertAt, toInside } from './json-edits.ts';
import { eachMember, findMember, type JsonMember } from './json-members.ts';

const TEXT_TYPE: Readonly<Record<ChatKind, string>> = { chat: 'text', responses: 'input_text', messages: 'text' };
/** What stands between the words of a message and a block that follows them. */
const BESIDE = '\n\n';
/** Says that all up to the part that has it may be cached. Source: Anthropic's API, prompt caching. */
const CACHED = '"cache_control":{"type":"ephemeral"}';

/** What is written to the newest message of the user. */
export interface Beside {
  /** What goes behind the words of the user; empty where nothing does. */
  readonly block: string;
  /** Whether the end of the user's own words is marked as what can be cached up to. */
  readonly isMarked: boolean;
}

function memberAt(text: string, list: number, index: number): JsonMember | undefined {
  let at = 0;
  for (const member of eachMember(text, list)) {
    if (at === index) return member;
    at += 1;
  }
  return undefined;
}

/** Where what the newest message says stands. */
function findContent(kind: ChatKind, text: string, index: number): JsonMember | undefined {
  const messages = findMember(text, kind === 'responses' ? 'input' : 'messages');
  if (messages === undefined || text[messages.start] === '"') return messages;
  const message = memberAt(text, messages.start, index);
  return message === undefined || text[message.start] !== '{' ? undefined : findMember(text, 'content', message.start);
}

const toPart = (kind: ChatKind, words: string): string => JSON.stringify({ type: TEXT_TYPE[kind], text: words });

/** A string stays one, since not every server reads parts, unless it has to be marked; Anthropic's API reads parts. */
function addToString(kind: ChatKind, text: string, { start, end }: JsonMember, { block, isMarked }: Beside): string {
  if (kind !== 'messages' && !isMarked) {
    return block === '' ? text : insertAt(text, end - 1, toInside(BESIDE + block));
  }
  const words = text.slice(start, end);
  const mark = isMarked && words !== '""' ? `,${CACHED}` : '';
  if (block === '' && mark === '') return text;
  const parts = [`{"type":"text","text":${words}${mark}}`, ...(block === '' ? [] : [toPart(kind, block)])];
  return `${text.slice(0, start)}[${parts.join(',')}]${text.slice(end)}`;
}

function addToList(kind: ChatKind, text: string, { start, end }: JsonMember, { block, isMarked }: Beside): string {
  const last = [...eachMember(text, start)].at(-1);
  const comma = last === undefined ? '' : ',';
  const added = block === '' ? text : insertAt(text, end - 1, comma + toPart(kind, block));
  const canBeMarked = last !== undefined && text[last.start] === '{' && isCacheable(text.slice(last.start, last.end));
  return isMarked && canBeMarked ? insertAt(added, last.start + 1, `${CACHED},`) : added;
}

/** Anthropic's API refuses the mark at a text that is empty. */
function isCacheable(part: string): boolean {
  const words = findMember(part, 'text');
  return words === undefined || part.slice(words.start, words.end) !== '""';
}

/**
 * Puts a block behind what the newest message of the user says. Every byte before it stays: what was sent to the provider before is the
 * beginning of what is sent now, up to the words of the message before.
 * @param index of the message among all
 */
export function addBeside(kind: ChatKind, text: string, index: number, beside: Beside): string {
  const content = findContent(kind, text, index);
  if (content === undefined) return text;
  if (text[content.start] === '"') return addToString(kind, text, content, beside);
  return text[content.start] === '[' ? addToList(kind, text, content, beside) : text;
}

/** Marks the end of the results of tools that follow the newest message, whose block stays as long as its question does. */
export function markEnd(text: string, newest: number): string {
  const messages = findMember(text, 'messages');
  if (messages === undefined || text[messages.start] !== '[') return text;
  const all = [...eachMember(text, messages.start)];
  const last = all.at(-1);
  const role = last === undefined || text[last.start] !== '{' ? undefined : findMember(text, 'role', last.start);
  const isOfTools = role !== undefined && text.slice(role.start, role.end) === '"user"' && all.length - 1 > newest;
  return isOfTools ? addBeside('messages', text, all.length - 1, { block: '', isMarked: true }) : text;
}

/** Models of Anthropic and Gemini by the names that gateways for many providers give them; Google's own endpoints read no such mark. */
const BEHIND_GATEWAY = /^(?!models\/)[^/]+\/.*(?:claude|gemini)/iu;

/** Whether a request is to be marked: where its API reads such marks, and it has none of its own. */
export function readsMarks(kind: ChatKind, text: string, model: string | undefined, provider: URL): boolean {
  if (text.includes('"cache_control"')) return false;
  if (kind === 'messages') return true;
  const isGateway = BEHIND_GATEWAY.test(model ?? '') && !provider.hostname.endsWith('.googleapis.com');
  return kind === 'chat' && isGateway;
}
