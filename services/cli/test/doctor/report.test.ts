import { describe, expect, it } from '@jest/globals';
import { type Findings, type ServerReport, toReport } from '../../src/doctor/report.ts';

const own = (...statuses: ('ok' | 'failed' | 'off')[]): ServerReport => ({
  kind: 'own',
  settings: {},
  checks: statuses.map((status, at) => ({ name: `c${at}`, status, detail: '' })),
});
const foreign: ServerReport = { kind: 'foreign', detail: 'not one of ours: see status' };
const ok = { name: 'n', status: 'ok', detail: '' } as const;

function count(servers: Findings['servers'], unavailable: readonly string[], proxy = own('off')): number {
  const components = Object.fromEntries(
    Object.keys(servers).map((name) => [
      name,
      { status: unavailable.includes(name) ? ('unavailable' as const) : ('running' as const) },
    ]),
  );
  const status = { service: 'context-aggregator', status: 'degraded' as const, components };
  return toReport({
    composition: { file: 'f', check: ok },
    servers,
    proxy,
    clients: {},
    hooks: {},
    aggregator: { check: ok, status },
  }).problems;
}

describe('the problems that are counted', () => {
  it('are none when all is well or off', () => {
    expect(count({ a: own('ok', 'off'), b: own(), c: foreign }, [])).toBe(0);
  });

  it('are every failed check and every server that cannot be reached', () => {
    expect(count({ a: own('failed', 'failed'), b: own('ok'), c: foreign }, ['b', 'c'])).toBe(4);
  });

  it('are failed checks of the proxy too', () => {
    expect(count({ a: own('ok') }, [], own('off', 'failed'))).toBe(1);
  });

  it('tell a server only once that cannot be reached for a reason that its checks give', () => {
    expect(count({ a: own('failed') }, ['a'])).toBe(1);
  });

  it('are a composition that cannot be read, a client whose server does not remember, a hook that tells nothing, and an aggregator that does not answer', () => {
    const failed = { ...ok, status: 'failed' as const };
    const findings = {
      composition: { file: 'f', check: failed },
      servers: {},
      proxy: own(),
      clients: { cursor: failed },
      hooks: { codex: [ok, failed] },
      aggregator: { check: failed },
    };
    expect(toReport(findings)).toEqual({ success: false, problems: 4, ...findings });
  });
});
