import { ContextloomError, type Forgotten } from '@contextloom/contracts';
import { memoryIdSchema } from '@contextloom/contracts/project-memory';
import type { CountTokens } from '@contextloom/retrieval/chunk';
import { type Brief, createBrief } from './brief/brief.ts';
import type { ToLifetime } from './ends/to-end.ts';
import { withoutEnded } from './ends/without-ended.ts';
import type { Analyst } from './ingest/analysis.ts';
import { createIngest, type IngestAnswer, type IngestRequest } from './ingest/ingest.ts';
import { createPrepare, type EmbedTexts } from './ingest/prepare.ts';
import { SAME_SUBJECT } from './ingest/same-subject.ts';
import { type Arbitration, type Memory, type MemoryVersion, type Project, toMemoryId } from './memory.ts';
import { type Limits, type ProjectName, type Reach, requireProjectKey, toProjectFilter } from './project.ts';
import { createRelated, type RelatedMemories } from './related.ts';
import { createSearch, type SearchAnswer, type SearchOptions, type SearchRequest } from './search.ts';
import type {
  MemoryStore,
  OtherOwners,
  OwnerCounts,
  RollbackOutcome,
  Selection,
  TimelineEntry,
  TimelinePage,
} from './store.ts';
import { toEndOfUnit } from './timestamps.ts';
import { createTransfer, type Transfer } from './transfer/transfer.ts';

/** The memory of one owner's projects. */
export interface ProjectMemory extends RelatedMemories, Transfer {
  readonly ingest: (request: IngestRequest) => Promise<IngestAnswer>;
  /** Deletes a memory; its versions stay. @throws ContextloomError `not_found` */
  readonly remove: (id: string) => Promise<void>;
  readonly search: (request: SearchRequest) => Promise<SearchAnswer>;
  /** In the order requested, without those that there are not; as they were at a Unix time, if one is given. */
  readonly get: (ids: readonly string[], asOf?: number) => Promise<readonly Memory[]>;
  /** Of the last `days`. */
  readonly timeline: (project: ProjectName, days: number, page: TimelinePage) => Promise<readonly TimelineEntry[]>;
  /** Whatever their age, newest first. */
  readonly newest: (project: ProjectName, limit: number) => Promise<readonly TimelineEntry[]>;
  /** What a session on a project should know when it starts. */
  readonly brief: (project: ProjectName) => Promise<Brief>;
  readonly projects: (limit: number) => Promise<readonly Project[]>;
  /** @throws ContextloomError `forbidden` where not all projects are within reach */
  readonly counts: () => Promise<OwnerCounts>;
  /**
   * How many memories wait for their vectors.
   * @throws ContextloomError `forbidden` where not all projects are within reach
   */
  readonly countWaiting: () => Promise<number>;
  /**
   * Counts everything of the owner, and erases it unless it is a dry run.
   * @throws ContextloomError `forbidden` where not all projects are within reach
   */
  readonly forgetOwner: (isDryRun: boolean) => Promise<Forgotten>;
  /**
   * What the store keeps of owners whom this server does not serve.
   * @throws ContextloomError `forbidden` where not all projects are within reach
   */
  readonly others: () => Promise<OtherOwners>;
  /**
   * Whether the store keeps anything of that owner, whom this server need not serve.
   * @throws ContextloomError `forbidden` where not all projects are within reach
   */
  readonly hasOwner: (ownerId: string) => Promise<boolean>;
  /** @throws ContextloomError `not_found` */
  readonly versions: (id: string) => Promise<readonly MemoryVersion[]>;
  readonly arbitrations: (
    query: ProjectName & { readonly id?: string | undefined },
    limit: number,
  ) => Promise<readonly Arbitration[]>;
  /** @throws ContextloomError `not_found`, or `conflict` when there is nothing to undo */
  readonly rollback: (arbitrationId: number) => Promise<RollbackOutcome>;
  /** The same memory for one call. */
  readonly within: (limits: Limits) => ProjectMemory;
}

/** What a project memory is made from. */
export interface ProjectMemoryOptions extends Pick<SearchOptions, 'embedQuery' | 'rerank' | 'scale'> {
  readonly ownerId: string;
  readonly store: MemoryStore;
  readonly analyst: Analyst;
  readonly embed: EmbedTexts;
  readonly countTokens: CountTokens;
  /** After how long a memory is forgotten that does not say when. */
  readonly toLifetime?: ToLifetime | undefined;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** From this cosine on, two memories may be about one subject; 0.85 by default. */
  readonly sameSubject?: number;
  /** Called when memories without vectors were taken in. */
  readonly onImported?: () => void;
}

const DAY_S = 86_400;

/** Builds the memory of one owner over a store. */
export function createProjectMemory({ store: all, ...given }: ProjectMemoryOptions): ProjectMemory {
  const store = withoutEnded(all, given);
  const options = { ...given, store };
  const {
    ownerId,
    analyst,
    embed,
    countTokens,
    clock,
    newId,
    toLifetime,
    sameSubject = SAME_SUBJECT,
    onImported = () => undefined,
  } = options;
  const prepare = createPrepare({ analyst, embed, countTokens });
  const ingest = createIngest({ ownerId, store, analyst, prepare, sameSubject, toLifetime, clock, newId });
  const within = (limits: Limits): ProjectMemory => {
    const reach: Reach = { ...limits, ownerId };
    return {
      ...createReading(reach, options),
      ...createRelated(reach, store),
      ...createTransfer(reach, store, onImported),
      within: (fewer) => within(narrow(limits, fewer)),
      ingest: async (request) => {
        requireWithin(requireProjectKey(request), limits);
        return ingest(request);
      },
      remove: async (id) => {
        if (memoryIdSchema.safeParse(id).success && (await store.remove(reach, id))) return;
        throw new ContextloomError('not_found', `there is no memory ${id}`, { field: 'id' });
      },
      rollback: async (arbitrationId) => {
        const text = await store.skippedText(reach, arbitrationId);
        const skipped = text && { newId: toMemoryId(newId()), content: await prepare(text) };
        return store.rollback({ ...reach, arbitrationId, skipped });
      },
    };
  };
  return within({});
}

const narrow = ({ projects, signal }: Limits, fewer: Limits): Limits => ({
  projects: fewer.projects === undefined ? projects : fewer.projects.filter((key) => projects?.includes(key) ?? true),
  signal: fewer.signal ?? signal,
});

/** @throws ContextloomError `forbidden` */
function requireWithin(key: string, { projects }: Limits): void {
  if (projects === undefined || projects.includes(key)) return;
  throw new ContextloomError('forbidden', 'project_key must be one within reach', { field: 'project_key' });
}

/** @throws ContextloomError `forbidden` */
function requireAll({ projects }: Reach, what: string): void {
  if (projects === undefined) return;
  throw new ContextloomError('forbidden', `${what} of all projects, which this caller does not reach`);
}

/** How much of an id a brief tells. */
const BEGUN_LENGTH = 12;
/** How many memories a brief is made from, and how many are read at once. */
const MOST_READ = 10_000;
const PAGE = 500;

/** The newest memories of a selection with their texts. */
async function readNewest(store: MemoryStore, selection: Selection): Promise<readonly Memory[]> {
  const memories: Memory[] = [];
  for (let offset = 0; offset < MOST_READ; offset += PAGE) {
    const page = await store.timeline(selection, 0, { limit: PAGE, offset });
    const ids = page.map(({ id }) => id);
    const found = new Map((await store.get(selection, ids)).map((memory) => [memory.id, memory]));
    memories.push(...ids.flatMap((id) => found.get(id) ?? []));
    if (page.length < PAGE) break;
  }
  return memories;
}

/** What works on what is stored, within one reach. */
function createReading(
  reach: Reach,
  { store, clock, embedQuery, scale, rerank }: ProjectMemoryOptions,
): Omit<ProjectMemory, keyof RelatedMemories | keyof Transfer | 'ingest' | 'remove' | 'rollback' | 'within'> {
  return {
    search: createSearch({ reach, store, embedQuery, scale, rerank }),
    get: async (ids, asOf) => {
      const before = asOf === undefined ? undefined : toEndOfUnit(asOf);
      const named = [...new Set(ids)].filter((id) => memoryIdSchema.safeParse(id).success);
      const begun = await store.findIds(reach, [...new Set(named.map((id) => id.slice(0, BEGUN_LENGTH)))]);
      const toIds = (id: string) =>
        id.length < BEGUN_LENGTH || begun.includes(id) ? [id] : begun.filter((one) => one.startsWith(id));
      const wanted = [...new Set(named.flatMap(toIds))];
      const found = new Map((await store.get({ ...reach, before }, wanted)).map((memory) => [memory.id, memory]));
      return wanted.flatMap((id) => found.get(id) ?? []);
    },
    timeline: (project, days, page) => {
      const since = Math.floor(clock().getTime() / 1_000) - days * DAY_S;
      return store.timeline({ ...reach, project: toProjectFilter(project) }, since, page);
    },
    newest: (project, limit) => store.timeline({ ...reach, project: toProjectFilter(project) }, 0, { limit }),
    brief: async (project) => createBrief(await readNewest(store, { ...reach, project: toProjectFilter(project) })),
    projects: (limit) => store.projects(reach, limit),
    counts: async () => {
      requireAll(reach, 'counts are');
      return store.counts(reach);
    },
    countWaiting: async () => {
      requireAll(reach, 'what waits is counted');
      return (await store.counts(reach)).pending;
    },
    forgetOwner: async (isDryRun) => {
      requireAll(reach, 'forgetting is');
      return store.forget(reach.ownerId, isDryRun);
    },
    others: async () => {
      requireAll(reach, 'other owners are counted');
      return store.others(reach);
    },
    hasOwner: async (ownerId) => {
      requireAll(reach, 'owners are looked for');
      return (await store.forget(ownerId, true)).erased.some(({ count }) => count > 0);
    },
    versions: async (id) => {
      const versions = await store.versions(reach, id);
      if (versions.length > 0) return versions;
      throw new ContextloomError('not_found', `there is no memory ${id}`, { field: 'id' });
    },
    arbitrations: ({ id, ...project }, limit) =>
      store.arbitrations({ ...reach, project: toProjectFilter(project), memoryId: id, limit }),
  };
}
