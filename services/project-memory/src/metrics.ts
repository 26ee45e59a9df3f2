import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ProjectMemory } from './domain/project-memory.ts';
import type { OwnerCounts } from './domain/store.ts';

/** What a server counts of its work and shows to Prometheus. */
export interface Metrics {
  readonly registry: Registry;
  /** The memory, each call of which is timed and counted. */
  readonly observe: (memory: ProjectMemory) => ProjectMemory;
  /** All metrics in the text format of Prometheus, with what is stored now. */
  readonly render: (counts: OwnerCounts) => Promise<string>;
}

const name = (rest: string): string => `project_memory_${rest}`;

function createGauges(registers: Registry[]) {
  const gauge = <L extends string>(rest: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name: name(rest), help, labelNames, registers });
  return {
    projects: gauge('projects', 'Projects of the owner'),
    memories: gauge('memories', 'Memories by project and type; of the 1000 largest groups', [
      'project_key',
      'content_type',
    ]),
    fragments: gauge('fragments', 'Fragments that are searched'),
    pending: gauge('pending_embeddings', 'Memories that wait for their vectors'),
    versions: gauge('versions', 'Replaced states in the history'),
    links: gauge('links', 'Links between memories'),
    arbitrations: gauge('arbitrations', 'Arbitrations by verdict', ['action']),
  };
}

function setGauges(gauges: ReturnType<typeof createGauges>, counts: OwnerCounts): void {
  for (const key of ['projects', 'fragments', 'pending', 'versions', 'links'] as const) gauges[key].set(counts[key]);
  gauges.memories.reset();
  for (const { projectKey, contentType, count } of counts.memories) {
    gauges.memories.set({ project_key: projectKey, content_type: contentType }, count);
  }
  gauges.arbitrations.reset();
  for (const { action, count } of counts.arbitrations) gauges.arbitrations.set({ action }, count);
}

/** Makes the metrics of one server, next to those of its endpoint where it has one. */
export function createMetrics(registry = new Registry()): Metrics {
  const registers = [registry];
  const gauges = createGauges(registers);
  const ingests = new Counter({
    name: name('ingests_total'),
    help: 'Ingests by outcome',
    labelNames: ['status'],
    registers,
  });
  const seconds = new Histogram({
    name: name('operation_seconds'),
    help: 'How long calls took, by operation and outcome',
    labelNames: ['operation', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const time = async <T>(operation: string, work: () => Promise<T>): Promise<T> => {
    const end = seconds.startTimer({ operation });
    try {
      const value = await work();
      end({ outcome: 'ok' });
      return value;
    } catch (error) {
      end({ outcome: 'error' });
      throw error;
    }
  };
  const observe = (memory: ProjectMemory): ProjectMemory => ({
    ...memory,
    within: (limits) => observe(memory.within(limits)),
    ingest: async (request) => {
      const answer = await time('ingest', () => memory.ingest(request));
      ingests.inc({ status: answer.status });
      return answer;
    },
    search: (request) => time('search', () => memory.search(request)),
    get: (ids, asOf) => time('get', () => memory.get(ids, asOf)),
    timeline: (project, days, page) => time('timeline', () => memory.timeline(project, days, page)),
  });
  return {
    registry,
    observe,
    render: (counts) => {
      setGauges(gauges, counts);
      return registry.metrics();
    },
  };
}
