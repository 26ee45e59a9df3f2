import { ContextloomError, type ConversationHistory } from '@contextloom/contracts';
import { type Conversation, countTurns } from '../domain/transcript.ts';
import { toTurnListConversation } from './json.ts';
import { readDate } from './read.ts';
import { parseTranscript } from './transcript-text.ts';
import { unreadable } from './unreadable.ts';

/**
 * Reads one conversation as callers send it.
 * @param conversationDate when it took place, for turns without a date of their own
 * @throws ContextloomError `invalid`, naming the line or the turn
 */
export function parseHistory(history: ConversationHistory, conversationDate?: string): Conversation {
  const date = readDate(conversationDate, 'conversation_date');
  if (typeof history !== 'string') {
    const conversation = toTurnListConversation(history, { at: 'conversation_history', date });
    if (countTurns(conversation) === 0) throw unreadable('nothing is said in it');
    return conversation;
  }
  const [conversation, ...others] = parseTranscript(history, date);
  if (conversation !== undefined && others.length === 0) return conversation;
  throw new ContextloomError(
    'invalid',
    `conversation_history holds ${others.length + 1} conversations; send them one at a time, or import the file that they are in (contextloom import)`,
    { field: 'conversation_history' },
  );
}
