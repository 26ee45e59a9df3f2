import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { readLargeAnswer } from '@contextloom/runtime';
import { describe, expect, it } from '@jest/globals';
import { createStdioTransport } from '../src/messages/stdio-transport.ts';

const request = (id: number, method = 'tools/call') => ({ jsonrpc: '2.0' as const, id, method, params: {} });
const cancelled = (requestId: number) => ({
  jsonrpc: '2.0' as const,
  method: 'notifications/cancelled',
  params: { requestId },
});

/** Opens a transport whose input has these messages and ends; `hasEnded` tells whether the transport has seen that. */
async function open(messages: readonly object[], drainMs = 600_000) {
  const stdin = new PassThrough();
  let hasEnded = false;
  let onEnd = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    onEnd = () => {
      hasEnded = true;
      resolve();
    };
  });
  const stdout = new PassThrough();
  const transport = createStdioTransport({ stdin, stdout, onRefused: () => undefined, onEnd, drainMs });
  let left = messages.length;
  const arrived = new Promise<void>((resolve) => {
    transport.onmessage = () => {
      left -= 1;
      if (left === 0) resolve();
    };
  });
  await transport.start();
  stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  await Promise.all([arrived, once(stdin, 'end')]);
  return { transport, stdout, ended, hasEnded: () => hasEnded };
}

describe('the transport over standard input and output', () => {
  it('sees the end of its input when the last request is answered', async () => {
    const { transport, ended, hasEnded } = await open([request(1), request(2)]);
    await transport.send({ jsonrpc: '2.0', id: 2, result: {} });
    await transport.send({ jsonrpc: '2.0', method: 'notifications/progress', params: {} });
    expect(hasEnded()).toBe(false);
    await transport.send({ jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'no' } });
    await ended;
  });

  it.each([
    ['as the text that it was read from', '1.0', '1.0'],
    ['again where that has a line end', '1.0\n', '1'],
  ])('writes a large result on one line: %s', async (_how, number, written) => {
    const { transport, stdout } = await open([request(1)]);
    let output = '';
    stdout.on('data', (chunk) => {
      output += chunk;
    });
    const toText = (n: string) => `{"content":[{"type":"text","text":"${'x'.repeat(100_000)}"}],"n":${n}}`;
    const read = readLargeAnswer(Buffer.from(`{"result":${toText(number)},"jsonrpc":"2.0","id":7}`));
    await transport.send({ jsonrpc: '2.0', id: 1, result: { ...read?.result } });
    expect(output.split('\n').length).toBe(2);
    expect(output).toContain(toText(written));
    expect(JSON.parse(output).id).toBe(1);
  });

  it.each<[string, readonly object[]]>([
    ['a request that was cancelled', [request(1), cancelled(1)]],
    ['a subscription, which ends with the connection', [request(1, 'subscriptions/listen')]],
  ])('does not wait for %s', async (_what, messages) => {
    const { ended } = await open(messages);
    await ended;
  });

  it('does not wait for ever', async () => {
    const { ended } = await open([request(1)], 1);
    await ended;
  });

  it('waits for nobody once it is closed', async () => {
    const { transport, ended } = await open([request(1)]);
    await transport.close();
    await ended;
  });
});
