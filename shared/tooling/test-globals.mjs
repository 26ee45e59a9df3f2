// `@jest/globals` for suites that plain Node loads. The runner knows no time limit: without one, a test that hangs would
// hang the whole run.
import { bind } from 'jest-each';

const TIMEOUT_MS = 240_000;

function limit(fn, timeoutMs = TIMEOUT_MS) {
  return async () => {
    let timer;
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`Exceeded the time limit of ${timeoutMs} ms`)), timeoutMs);
    });
    try {
      await Promise.race([fn(), late]);
    } catch (error) {
      // The runner asks every error for its stack.
      throw error instanceof Error ? error : new Error(`Thrown: ${String(error)}`);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** A function of jest's that takes a test, with a time limit and with `each`. */
function limitTest(test) {
  const limited = (name, fn, timeoutMs) => test(name, limit(fn, timeoutMs));
  return Object.assign(limited, { each: bind(limited) });
}

const limitHook = (hook) => (fn, timeoutMs) => hook(limit(fn, timeoutMs));

export const { describe, expect } = globalThis;
export const it = Object.assign(limitTest(globalThis.it), { skip: limitTest(globalThis.it.skip) });
export const test = it;
export const afterAll = limitHook(globalThis.afterAll);
export const afterEach = limitHook(globalThis.afterEach);
export const beforeAll = limitHook(globalThis.beforeAll);
export const beforeEach = limitHook(globalThis.beforeEach);
/** `setTimeout` is for suites that run slower under jest's own module system. */
export const jest = { ...globalThis.jest, setTimeout: () => undefined };
