import { ContextloomError } from '@contextloom/contracts';

const READ =
  'Conversations are read as "Name: words" lines, as JSON ({"turns": […]}, {"sessions": [{"date", "turns"}]} or a list of turns), as JSONL (a turn a line), and as exports of ChatGPT, Claude, Gemini, WhatsApp, WeChat, QQ, Telegram, Discord, Slack and others';

/** The error for a conversation in which nothing is said that could be kept. */
export function nothingSaid(isPrivate: boolean): ContextloomError {
  if (!isPrivate) return unreadable('nothing is said in it');
  const message = 'everything in the conversation is marked as private, so nothing was stored';
  return new ContextloomError('invalid', message, { field: 'conversation_history' });
}

/** The error for a text of no known format: what is wrong where, and which formats are read. */
export function unreadable(problem: string, cause?: unknown): ContextloomError {
  const place = problem.replace(/^(line \d+)\./u, '$1: ');
  return new ContextloomError('invalid', `the conversation cannot be read: ${place}. ${READ}`, {
    field: 'conversation_history',
    cause,
  });
}
