import { randomUUID } from 'node:crypto';
import { type ClientCapabilities, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { Call } from './call.ts';
import type { AskOptions, Raw, RpcAnswer, RpcRequest } from './rpc.ts';

/** How long a call waits for its client to answer, in milliseconds: a person may have to read the question. */
const PATIENCE_MS = 600_000;

/** The methods whose answer may be a question. Source: MCP 2026-07-28, multi round-trip requests. */
const ASKING = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Runs calls of clients that answer a question by calling again, against servers that ask in the middle of a call. */
export interface SuspendedCalls {
  readonly run: (request: RpcRequest, call: Call, work: (call: Call) => Promise<RpcAnswer>) => Promise<RpcAnswer>;
  /** Whether a call waits for its client. */
  readonly isWaiting: () => boolean;
}

/** A question that the server waits for. */
interface Question {
  readonly request: RpcRequest;
  readonly answer: (answer: RpcAnswer) => void;
}

/** A call that goes on while its client answers. */
interface Running {
  /** The client's latest request about it: where progress and logs go. */
  current: Call;
  readonly questions: Map<string, Question>;
  readonly done: Promise<RpcAnswer>;
  /** Called when a question has come. */
  onQuestion: () => void;
  readonly stop: AbortController;
}

/** Keeps calls that wait for answers, each under an id of `newId`, which nobody may be able to guess. */
export function createSuspendedCalls(newId: () => string = randomUUID): SuspendedCalls {
  const waiting = new Map<string, Running>();

  function start(call: Call, work: (call: Call) => Promise<RpcAnswer>): Running {
    const stop = new AbortController();
    const questions = new Map<string, Question>();
    let count = 0;
    const running: Running = {
      current: call,
      questions,
      stop,
      onQuestion: () => undefined,
      done: Promise.resolve().then(() =>
        work({
          ...call,
          signal: stop.signal,
          onProgress: (params) => running.current.onProgress(params),
          notify: (notification) => running.current.notify(notification),
          ask: (request, options) => askLater(request, options),
        }),
      ),
    };
    const askLater = async (request: RpcRequest, { signal }: AskOptions): Promise<RpcAnswer> => {
      if (!canAnswer(running.current, request)) return refused;
      return new Promise((resolve) => {
        count += 1;
        const key = `question-${count}`;
        const answer = (given: RpcAnswer): void => {
          questions.delete(key);
          resolve(given);
        };
        questions.set(key, { request, answer });
        signal.addEventListener('abort', () => answer(unanswered), { once: true });
        running.onQuestion();
      });
    };
    return running;
  }

  /** Waits until the call is answered or asks something; the client may give it up meanwhile. */
  async function next(running: Running, call: Call): Promise<RpcAnswer> {
    running.current = call;
    const giveUp = (): void => running.stop.abort(call.signal.reason);
    call.signal.addEventListener('abort', giveUp, { once: true });
    const requested = new Promise<'asked'>((resolve) => {
      running.onQuestion = () => resolve('asked');
      if (running.questions.size > 0) resolve('asked');
    });
    try {
      const outcome = await Promise.race([running.done, requested]);
      if (outcome === 'asked') return suspend(running);
      leaveUnanswered(running);
      return outcome;
    } finally {
      call.signal.removeEventListener('abort', giveUp);
    }
  }

  function suspend(running: Running): RpcAnswer {
    const requestState = newId();
    waiting.set(requestState, running);
    setTimeout(() => {
      if (!waiting.delete(requestState)) return;
      running.stop.abort('nobody answered');
      leaveUnanswered(running);
    }, PATIENCE_MS).unref();
    const requested = [...running.questions].map(([key, { request }]) => [key, toInputRequest(request)] as const);
    return { result: { resultType: 'input_required', inputRequests: Object.fromEntries(requested), requestState } };
  }

  return {
    isWaiting: () => waiting.size > 0,
    run: (request, call, work) => {
      if (call.era === 'legacy' || !ASKING.has(request.method)) return work(call);
      const state = call.input['requestState'];
      const running = typeof state === 'string' ? waiting.get(state) : undefined;
      // A state that is not ours is the server's own.
      if (running === undefined) return next(start(call, work), call);
      waiting.delete(String(state));
      const responses = Object(call.input['inputResponses']) as Raw;
      for (const [key, question] of [...running.questions]) {
        const given = responses[key];
        if (typeof given !== 'object' || given === null) continue; // Asked again.
        running.questions.delete(key);
        question.answer({ result: given as Raw });
      }
      return next(running, call);
    },
  };
}

/** What a question needs of the client that it is put to. Source: MCP 2026-07-28, multi round-trip requests. */
const needed: Readonly<Record<string, keyof ClientCapabilities>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

/** Whether a client has said that it can answer a question. */
export function canAnswer({ capabilities }: Call, { method, params }: RpcRequest): boolean {
  const ability = Object.hasOwn(needed, method) ? needed[method] : undefined;
  if (ability === undefined || capabilities[ability] === undefined) return false;
  return ability !== 'elicitation' || params?.['mode'] !== 'url' || capabilities.elicitation?.url !== undefined;
}

/** The answer to a question that a client cannot be asked. */
export const refused: RpcAnswer = { error: { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' } };

const unanswered: RpcAnswer = {
  error: { code: ProtocolErrorCode.InternalError, message: 'the call ended before its client answered' },
};

/** The call is over, and its client gets no more questions. */
function leaveUnanswered({ questions }: Running): void {
  for (const { answer } of [...questions.values()]) answer(unanswered);
}

const toInputRequest = ({ method, params }: RpcRequest): Raw => ({ method, ...(params !== undefined && { params }) });

/** More rounds than any server needs: one that asks for ever is cut off. */
const MAX_ROUNDS = 16;

/**
 * Sends a request to a server of 2026-07-28 for a client that is asked in the middle of a call: what the server wants to know is
 * asked of the client, and the request sent again with the answers.
 */
export async function askUntilComplete(
  request: RpcRequest,
  call: Call,
  send: (input: Raw) => Promise<RpcAnswer>,
): Promise<RpcAnswer> {
  let answer = await send({});
  for (let round = 0; round < MAX_ROUNDS && isInputRequired(answer); round += 1) {
    const { inputRequests, requestState } = answer.result;
    const requested = Object.entries(Object(inputRequests) as Readonly<Record<string, RpcRequest>>);
    const inputResponses: Record<string, unknown> = {};
    for (const [key, question] of requested) {
      const response = await call.ask(question, { signal: call.signal });
      if ('error' in response) return response;
      inputResponses[key] = response.result;
    }
    answer = await send({ inputResponses, ...(requestState !== undefined && { requestState }) });
  }
  if (!isInputRequired(answer)) return answer;
  const message = `${request.method} asked for input more than ${MAX_ROUNDS} times`;
  return { error: { code: ProtocolErrorCode.InternalError, message } };
}

function isInputRequired(answer: RpcAnswer): answer is { readonly result: Raw } {
  return 'result' in answer && answer.result['resultType'] === 'input_required';
}
