import { ContextloomError } from '@contextloom/contracts';

/**
 * Refuses calls in the name of another owner than the server's.
 * @throws ContextloomError `forbidden`
 */
export function requireOwner(given: string | undefined, ownerId: string): void {
  if (given === undefined || given === ownerId) return;
  const message = 'ERR_OWNER_MISMATCH: this server keeps the memories of another owner; leave owner_id out';
  throw new ContextloomError('forbidden', message, { field: 'owner_id' });
}
