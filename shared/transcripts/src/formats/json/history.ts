import type { ConversationHistory } from '@contextloom/contracts';
import { type Conversation, countTurns, hasPrivate } from '../../transcript.ts';
import { readDate } from '../read.ts';
import { parseTranscript } from '../text/transcript-text.ts';
import { nothingSaid } from '../unreadable.ts';
import { toTurnListConversation } from './json.ts';

/**
 * Reads the conversations that callers send: text may hold several, a list of turns is one.
 * @param conversationDate when they took place, for turns without a date of their own
 * @returns one or more
 * @throws ContextloomError `invalid`, naming the line or the turn
 */
export function parseHistory(history: ConversationHistory, conversationDate?: string): readonly Conversation[] {
  const date = readDate(conversationDate, 'conversation_date');
  if (typeof history === 'string') return parseTranscript(history, date);
  const conversation = toTurnListConversation(history, { at: 'conversation_history', date });
  if (countTurns(conversation) === 0) throw nothingSaid([conversation].some(hasPrivate));
  return [conversation];
}
