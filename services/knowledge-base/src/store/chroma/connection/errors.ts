import { ContextloomError, type ErrorCode } from '@contextloom/contracts';

type Meaning = readonly [ErrorCode, string];

/** What to do with each error of the client, by the error's name: its classes are not the same in both builds of it. */
const meanings: Readonly<Record<string, Meaning>> = {
  ChromaConnectionError: ['unavailable', 'cannot be reached'],
  ChromaNotFoundError: ['not_found', 'has no such collection'],
  ChromaUniqueError: ['conflict', 'has that collection already'],
  ChromaUnauthorizedError: ['unavailable', 'does not accept the key: CHROMA_API_KEY must be one that it knows'],
  ChromaForbiddenError: ['unavailable', 'does not let the key of CHROMA_API_KEY use this tenant and database'],
  ChromaRateLimitError: ['unavailable', 'is asked too often just now; try again'],
  ChromaQuotaExceededError: ['too_large', 'has a quota that this would exceed'],
  ChromaServerError: ['unavailable', 'failed at the call'],
  SyntaxError: ['unavailable', 'gives no answer of a Chroma server: CHROMA_URL must be the address of one'],
};

function toMeaning(thrown: unknown): Meaning {
  const { name = '', message = '' } = thrown as Partial<Error>;
  if (name === 'ChromaServerError' && message.startsWith('413')) return ['too_large', 'takes no request of this size'];
  // A tenant or database that is not there is a bad request, not a missing resource.
  if (/\b(Database|Tenant) \[.*\] (does not exist|not found)/.test(message)) {
    return [
      'unavailable',
      'has no such tenant or database: CHROMA_TENANT and CHROMA_DATABASE must name ones that it has',
    ];
  }
  return meanings[name] ?? ['internal', 'refused the call'];
}

/** Runs a call of the client; what it throws becomes our error, which names the server and keeps the client's as cause. */
export async function withChromaErrors<T>(server: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    const [code, meaning] = toMeaning(cause);
    throw new ContextloomError(code, `${server} ${meaning}`, { cause });
  }
}

/** Whether the server took a call and failed at it, as it does when a part of its files is gone. */
export function isServerFailure(error: unknown): boolean {
  return error instanceof ContextloomError && (error.cause as Partial<Error> | undefined)?.name === 'ChromaServerError';
}
