import { ContextloomError } from '@contextloom/contracts';

/**
 * Makes sure that what was answered is of the user that it was asked for, wherever an answer names one.
 * @throws ContextloomError `forbidden`
 */
export function requireOwn(userId: string, named: string | null | undefined, service: string): void {
  if (named === undefined || named === null || named === userId) return;
  const message = `${service} answered for another user than the one that it was asked for; nothing of it is shown`;
  throw new ContextloomError('forbidden', message);
}
