// Lets plain Node load the test suites and the sources they test, for jest's runner without a module system of its own.
import { register } from 'node:module';
import process from 'node:process';

register('./test-modules-hooks.mjs', import.meta.url);

// A worker whose run has ended, or was killed, does not wait for what a suite left open.
process.on('disconnect', () => process.exit());

// The runner sends its data to all workers when the first one asks, and to no worker twice: one that starts more slowly and does
// not listen yet would wait for ever. So what came is told again to who listens later. The first to listen is the pool: messages
// wait for it.
if (process.send !== undefined) {
  let early;
  const keep = (message) => {
    if (message?.type === 'jest-light-runner-worker-data') early = message;
  };
  process.on('newListener', (event, listener) => {
    if (event !== 'message' || listener === keep) return;
    if (early !== undefined) setImmediate(listener, early);
    else if (!process.listeners('message').includes(keep)) process.on('message', keep);
  });
}
