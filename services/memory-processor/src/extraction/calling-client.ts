import { AsyncLocalStorage } from 'node:async_hooks';
import { ContextloomError } from '@contextloom/contracts';
import type { SamplingRequest } from '@contextloom/llm';

/** Asks the model of the client that calls. @throws ContextloomError where it cannot be asked */
export type AskClient = (
  request: SamplingRequest,
  signal: AbortSignal,
) => Promise<{ readonly text: string; readonly isCutOff: boolean }>;

/** The client in whose call something is read: its model is asked in this call, and never in anybody else's. */
export interface CallingClient {
  /** Does work in the call of a client; undefined for one without a model. */
  readonly during: <T>(ask: AskClient | undefined, work: () => Promise<T>) => Promise<T>;
  readonly ask: AskClient;
}

interface OneCall {
  ask: AskClient | undefined;
  count: number;
  refusal?: unknown;
}

/** How often one call asks its client: a person may have to allow each. */
const MOST_QUESTIONS = 100;
const NOBODY =
  'no client is connected whose model could be asked: LLM_PROVIDER=sampling reads in calls of clients that support sampling';

const refuse = (message: string) => new ContextloomError('unavailable', message);

/** Keeps who calls along all that a call awaits. */
export function createCallingClient(): CallingClient {
  const calls = new AsyncLocalStorage<OneCall>();
  return {
    during: async (ask, work) => {
      const call: OneCall = { ask, count: 0 };
      try {
        return await calls.run(call, work);
      } finally {
        call.ask = undefined; // What goes on after the call has nobody to ask.
      }
    },
    ask: async (request, signal) => {
      const call = calls.getStore();
      if (call?.ask === undefined) throw refuse(NOBODY);
      if (call.refusal !== undefined) throw call.refusal;
      if (call.count >= MOST_QUESTIONS) throw refuse(`a call asks its client at most ${MOST_QUESTIONS} times`);
      call.count += 1;
      try {
        return await call.ask(request, signal);
      } catch (error) {
        call.refusal = error; // Who said no once is not asked for each piece.
        throw error;
      }
    },
  };
}
