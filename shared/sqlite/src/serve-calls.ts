import type { MessagePort } from 'node:worker_threads';
import { type AnswerMessage, toErrorMessage, type WorkerMessage, type WorkerMethods } from './worker-calls.ts';

/** What a worker has opened to answer from. */
export interface Opened<Methods extends WorkerMethods<Methods>> {
  readonly methods: Methods;
  readonly close: () => void;
}

/**
 * Answers the calls that come in at a worker's port, one after the other. `open` runs at the first, so that what is wrong
 * with it is the answer to a call, and again at the next if it failed.
 */
export function serveCalls<Methods extends WorkerMethods<Methods>>(
  port: MessagePort,
  open: () => Opened<Methods>,
): void {
  let opened: Opened<Methods> | undefined;
  const answer = (name: string, args: readonly unknown[]): AnswerMessage => {
    try {
      opened ??= open();
      const method = opened.methods[name as keyof Methods];
      // The pool's types have checked name and arguments on the other side.
      return { kind: 'value', value: method(...(args as Parameters<typeof method>)) };
    } catch (error) {
      return { kind: 'error', error: toErrorMessage(error) };
    }
  };
  port.on('message', (message: WorkerMessage) => {
    if (message.kind === 'call') {
      port.postMessage(answer(message.name, message.args));
      return;
    }
    opened?.close();
    port.close(); // Nothing else keeps the thread, so it ends.
  });
}
