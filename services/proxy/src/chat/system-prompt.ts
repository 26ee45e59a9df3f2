import type { ChatKind } from './chat-kind.ts';
import { addWords, insertAt } from './json-edits.ts';
import { eachMember, findMember } from './json-members.ts';

type Where = 'before' | 'after';

/**
 * Puts a system prompt into the text of a request for `/chat/completions`: to what its first message says where that is of the
 * system, else as a message of its own. All other bytes stay as they are, since clients and providers differ in what they write.
 */
function promptMessages(text: string, prompt: string, where: Where): string | undefined {
  const messages = findMember(text, 'messages');
  if (messages === undefined || text[messages.start] !== '[') return undefined;
  const [first] = eachMember(text, messages.start);
  const own = JSON.stringify({ role: 'system', content: prompt });
  if (first === undefined) return undefined;
  const role = text[first.start] === '{' ? findMember(text, 'role', first.start) : undefined;
  const isSystem = role !== undefined && /^"(?:system|developer)"$/u.test(text.slice(role.start, role.end));
  const content = isSystem ? findMember(text, 'content', first.start) : undefined;
  const added = content && addWords(text, content, prompt, where);
  return added ?? insertAt(text, first.start, `${own},`);
}

/** The same where the system prompt is a member of the request: `instructions` of `/responses`, `system` of `/messages`. */
function promptMember(name: string, text: string, prompt: string, where: Where): string | undefined {
  const found = findMember(text, name);
  if (found !== undefined) {
    const isNull = text.slice(found.start, found.end) === 'null';
    if (isNull) return text.slice(0, found.start) + JSON.stringify(prompt) + text.slice(found.end);
    return addWords(text, found, prompt, where);
  }
  const [first] = eachMember(text);
  const at = text.indexOf('{') + 1;
  return insertAt(text, at, `${JSON.stringify(name)}:${JSON.stringify(prompt)}${first === undefined ? '' : ','}`);
}

/** Puts a system prompt in front of that of a request, or behind it; undefined where the request has no place for one. */
export function addSystemPrompt(kind: ChatKind, text: string, prompt: string, where: Where): string | undefined {
  if (kind === 'chat') return promptMessages(text, prompt, where);
  return promptMember(kind === 'responses' ? 'instructions' : 'system', text, prompt, where);
}
