import { ContextloomError } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import { createCircuitBreaker } from '../src/circuit-breaker.ts';

const down = new ContextloomError('unavailable', 'the model cannot be reached');

function build(options: Parameters<typeof createCircuitBreaker>[0] = {}) {
  let time = 0;
  const breaker = createCircuitBreaker({ failures: 3, cooldownMs: 1_000, now: () => time, ...options });
  const fail = (error: unknown) => breaker.run(() => Promise.reject(error)).catch((caught: unknown) => caught);
  return { breaker, fail, advance: (ms: number) => (time += ms) };
}

describe('the circuit breaker', () => {
  it('opens after so many failures in a row, tells the last reason, and closes after the cooldown', async () => {
    const { breaker, fail, advance } = build();
    for (const reason of [undefined, undefined, down]) {
      await fail(down);
      expect(breaker.openReason()).toBe(reason);
    }
    advance(999);
    expect(breaker.openReason()).toBe(down);
    advance(1);
    expect(breaker.openReason()).toBeUndefined();
  });

  it('counts again from the start after a success, and opens at once after a trial that failed', async () => {
    const { breaker, fail, advance } = build();
    await fail(down);
    await fail(down);
    expect(await breaker.run(async () => 'answer')).toBe('answer');
    await fail(down);
    await fail(down);
    expect(breaker.openReason()).toBeUndefined();
    await fail(down);
    advance(1_000);
    await fail(down);
    expect(breaker.openReason()).toBe(down);
  });

  it('opens at once for a refused key', async () => {
    const { breaker, fail } = build();
    const refused = new ContextloomError('unauthorized', 'LLM_API_KEY was refused');
    await fail(refused);
    expect(breaker.openReason()).toBe(refused);
  });

  it.each([
    ['a refused request', new ContextloomError('invalid', 'the model refused the request')],
    ['a content filter', new ContextloomError('forbidden', 'the content filter refused')],
    ['a caller who went away', new DOMException('stopped', 'AbortError')],
  ])('learns nothing of the endpoint from %s', async (_name, error) => {
    const { breaker, fail } = build({ failures: 1 });
    expect(await fail(error)).toBe(error);
    expect(breaker.openReason()).toBeUndefined();
  });

  it('takes a deadline that passed for an outage', async () => {
    const { breaker, fail } = build({ failures: 1 });
    await fail(new DOMException('late', 'TimeoutError'));
    expect(breaker.openReason()).toBeDefined();
  });
});
