import type { JobCounts } from '@contextloom/contracts';
import type { Registry } from 'prom-client';

/** Adds the jobs by state to what Prometheus reads, as they are when it asks; nothing while they cannot be counted. */
export async function addJobMetrics(registry: Registry, count: () => Promise<JobCounts>): Promise<void> {
  // By its default export, which a bundle has of a CommonJS package too.
  const { default: prometheus } = await import('prom-client');
  const gauge = new prometheus.Gauge({
    name: 'contextloom_jobs',
    help: 'Jobs by state, of all users; those done or cancelled of the last 30 days',
    labelNames: ['state'],
    registers: [registry],
    collect: async () => {
      gauge.reset();
      const counts = await count().catch(() => undefined);
      for (const [state, value] of Object.entries(counts ?? {})) gauge.set({ state }, value);
    },
  });
}
