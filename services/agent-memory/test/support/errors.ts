import { isContextloomError } from '@contextloom/contracts';

/** What the work gives, or the error of the product that it throws; any other error is thrown. */
export function orOwnError<T>(work: () => T): T | unknown {
  try {
    return work();
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    return error;
  }
}
