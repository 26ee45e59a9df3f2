import type { Registry } from 'prom-client';

/** What a server counts of the calls over HTTP, for Prometheus. */
export interface CallMetrics {
  /** An operation or a route was called: `ok`, or the code of the error. */
  readonly countCall: (operation: string, outcome: string) => void;
  /** A request was turned away before anything was called. */
  readonly countRefused: (outcome: string) => void;
  /** Where a service counts what else it does. */
  readonly registry: Registry;
  /** All that the registry has, in the text format of Prometheus. */
  readonly render: () => Promise<string>;
}

/** Makes the counters in a registry of their own; prom-client is loaded for a server over HTTP alone. */
export async function createCallMetrics(): Promise<CallMetrics> {
  // By its default export, which a bundle has of a CommonJS package too.
  const { default: prometheus } = await import('prom-client');
  const registry = new prometheus.Registry();
  const registers = [registry];
  const calls = new prometheus.Counter({
    name: 'contextloom_calls_total',
    help: 'Calls of tools and routes over HTTP by outcome: ok, or the code of the error',
    labelNames: ['operation', 'outcome'],
    registers,
  });
  const refused = new prometheus.Counter({
    name: 'contextloom_refused_requests_total',
    help: 'HTTP requests that were turned away at the door, by the code of the error',
    labelNames: ['outcome'],
    registers,
  });
  return {
    registry,
    countCall: (operation, outcome) => calls.inc({ operation, outcome }),
    countRefused: (outcome) => refused.inc({ outcome }),
    render: () => registry.metrics(),
  };
}
