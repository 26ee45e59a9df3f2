import type { Log } from '@contextloom/runtime';
import { createMcpServer, type ServerFactory } from '@contextloom/server-kit';
import type { ToLifetime } from './domain/ends/to-end.ts';
import { withoutEnded } from './domain/ends/without-ended.ts';
import { operations, relationOperations } from './operations/index.ts';
import { memoryGuidePrompt } from './prompts/memory-guide.ts';
import { eventTemplatesResource } from './resources/event-templates.ts';
import { type ChartDeps, trendChartResource } from './resources/trend-chart.ts';

/** What the server is built from. */
export interface PersonalMemoryServerOptions extends ChartDeps {
  /** The one user whose memory this is; undefined when each call names its user. */
  readonly userId: string | undefined;
  readonly hasRelations: boolean;
  /** The name of the server that clients see. */
  readonly name: string;
  readonly version: string;
  readonly log: Log;
  /** After how long a memory is forgotten that does not say when. */
  readonly toLifetime?: ToLifetime | undefined;
}

const INSTRUCTIONS =
  'The long memory of a user: profile (facts), entities (pets, people, things) and events. Store what the user tells about their life; look things up before answering about it. The prompt personal_memory_guide explains how.';

/** Builds the MCP server of a personal memory. */
export function createPersonalMemoryServer(options: PersonalMemoryServerOptions): ServerFactory {
  const { userId, hasRelations, name, version, log, ...deps } = options;
  return createMcpServer<ChartDeps>({
    name,
    version,
    instructions: INSTRUCTIONS,
    operations: hasRelations ? operations : operations.filter((operation) => !relationOperations.includes(operation)),
    prompts: [memoryGuidePrompt],
    resources: [eventTemplatesResource, trendChartResource],
    ...(userId !== undefined && { bound: { user_id: userId } }),
    deps: { ...deps, store: withoutEnded(deps.store, deps.clock), onlyUser: userId },
    log,
  });
}
