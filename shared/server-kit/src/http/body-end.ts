/** Passes a response on, and calls `onEnd` once its body has been read or its reader is gone; at once where all of it is there. */
export function onBodyEnd(response: Response, onEnd: () => void): Response {
  const isWhole = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (isWhole || response.body === null) {
    onEnd();
    return response;
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  response.body.pipeTo(writable).then(onEnd, onEnd);
  return new Response(readable, response);
}

/** Counts what is under way. */
export interface UnderWay {
  readonly count: () => number;
  readonly begin: () => void;
  readonly end: () => void;
  /** Resolves once nothing is under way, and after `timeoutMs` at the latest. */
  readonly untilNone: (timeoutMs: number) => Promise<void>;
}

/** Counts nothing at first. */
export function createUnderWay(): UnderWay {
  let count = 0;
  let onNone = (): void => undefined;
  return {
    count: () => count,
    begin: () => {
      count += 1;
    },
    end: () => {
      count -= 1;
      if (count === 0) onNone();
    },
    untilNone: async (timeoutMs) => {
      if (count === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        onNone = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
