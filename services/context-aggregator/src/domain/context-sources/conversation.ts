import { type ConversationHistory, conversationHistorySchema, type TurnInput } from '@contextloom/contracts';
import { readQuestion } from '@contextloom/retrieval';

/** Turns that are taken into account: what "and for Ros?" goes on from was said just before. */
const MOST_TURNS = 6;
/** Most of a turn that is taken into account, in UTF-16 code units. */
const LONGEST_TURN = 400;
/** The end of a longer text is read: that is where the latest turns are. */
const LONGEST_TEXT = 20_000;
/** Who speaks, before the words of a line. */
const SPEAKER = /^[^:：\n]{1,40}[:：]\s*/u;
/** What only applications say. */
const UNSAID = new Set(['system', 'developer', 'tool', 'function']);

function toWords({ role, content, text }: TurnInput): string {
  return role !== undefined && UNSAID.has(role) ? '' : (content ?? text ?? '');
}

function parseTurns(text: string): readonly TurnInput[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    const parsed = conversationHistorySchema.safeParse(JSON.parse(text)).data;
    return typeof parsed === 'string' ? undefined : parsed;
  } catch {
    return undefined; // Lines that happen to begin with a bracket.
  }
}

function toTurns(conversation: ConversationHistory): readonly string[] {
  const turns = typeof conversation === 'string' ? parseTurns(conversation) : conversation;
  if (turns !== undefined) return turns.map(toWords);
  const lines = String(conversation).slice(-LONGEST_TEXT).split('\n');
  return lines.map((line) => line.replace(SPEAKER, ''));
}

/** What was said last in a conversation, oldest first, a turn a line, without who said it; "" where nothing was. */
export function toRecentWords(conversation: ConversationHistory | undefined): string {
  const said = toTurns(conversation ?? [])
    .map((words) => words.trim().slice(0, LONGEST_TURN).trim())
    .filter((words) => words !== '');
  return said.slice(-MOST_TURNS).join('\n');
}

/**
 * What is looked for: what was said last, then the question. Undefined where nothing is, as by a greeting or thanks, which
 * follow on nothing.
 * @param names what the persona is called, which is not looked for
 */
export function toSearchQuery(query: string, recent: string, names: readonly string[]): string | undefined {
  const { isEmpty } = readQuestion(query, { names });
  // "And then?" looks for nothing by itself.
  if (isEmpty && (recent === '' || !/[?？]/u.test(query))) return undefined;
  return recent === '' ? query : `${recent}\n${query}`;
}
