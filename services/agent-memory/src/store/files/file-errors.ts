import { ContextloomError } from '@contextloom/contracts';

/** Whether an error of the file system has one of the codes. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}

/** Runs work on a file and rethrows the file system's errors as the product's own. */
export async function withFileErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (
      !hasErrorCode(
        cause,
        'ENOSPC',
        'EDQUOT',
        'EACCES',
        'EPERM',
        'EROFS',
        'EISDIR',
        'ENOTDIR',
        'EIO',
        'ELOOP',
        'EMFILE',
        'EBUSY',
      )
    )
      throw cause;
    if (hasErrorCode(cause, 'ENOSPC', 'EDQUOT')) {
      throw new ContextloomError('no_space', `there is no space left to write ${path}; nothing was written`, {
        field: path,
        cause,
      });
    }
    throw new ContextloomError('unavailable', `${path} cannot be read or written: check it and the rights on it`, {
      field: path,
      cause,
    });
  }
}
