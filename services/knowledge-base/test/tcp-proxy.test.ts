import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { answerJson, type Peer, startPeer } from './support/peer.ts';
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts';

describe('the line of the tests', () => {
  let peer: Peer;
  let line: TcpProxy;
  beforeEach(async () => {
    peer = await startPeer((response) => answerJson(response, 200, { here: true }));
    line = await startTcpProxy(Number(new URL(peer.url).port));
  });
  afterEach(async () => {
    await line.close();
    await peer.close();
  });

  it('passes what it is given, slowly if told so', async () => {
    line.delayMs = 20;
    expect(await (await fetch(line.url)).json()).toEqual({ here: true });
  });

  it('swallows answers while it is silent, and passes them again after', async () => {
    line.isSilent = true;
    await expect(fetch(line.url, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
    line.isSilent = false;
    expect(await (await fetch(line.url)).json()).toEqual({ here: true });
  });

  it('breaks what is open, and takes new connections', async () => {
    line.isSilent = true;
    const asked = fetch(line.url);
    setTimeout(line.cut, 50);
    await expect(asked).rejects.toThrow();
    line.isSilent = false;
    expect((await fetch(line.url)).status).toBe(200);
  });
});
