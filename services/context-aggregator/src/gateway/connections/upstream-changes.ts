import { type McpSubscription, SdkError, SdkErrorCode, type SubscriptionFilter } from '@modelcontextprotocol/client';
import type { ListKind, OpenLink } from '../messages/provider.ts';

/** How long a server may take to confirm what it will report, in milliseconds. */
const CONFIRM_MS = 10_000;
/** The first and the longest wait before a report that broke off is requested again, in milliseconds. */
const RETRY_MS = { first: 500, longest: 30_000 };

/** What a server of 2026-07-28 reports while its connection is open. */
export interface UpstreamChanges {
  /** Whether it reports changes of a list. */
  readonly reports: (kind: ListKind) => boolean;
  /** Has these resources reported, and no others. @throws Error where the server does not confirm */
  readonly watch: (uris: readonly string[]) => Promise<void>;
  /** Whether it has confirmed that it reports a resource. */
  readonly watches: (uri: string) => boolean;
}

/** What asking for reports needs. */
export interface UpstreamChangesOptions extends Pick<OpenLink, 'capabilities'> {
  readonly listen: NonNullable<OpenLink['listen']>;
  /** Called when reports come again after they broke off: something may have changed meanwhile. */
  readonly onResumed: () => void;
  readonly closing: AbortSignal;
}

/** Asks for reports of all lists and of the resources that clients watch, again whenever the stream of reports breaks off. */
export function createUpstreamChanges(options: UpstreamChangesOptions): UpstreamChanges {
  const { listen, capabilities, onResumed, closing } = options;
  const lists = toListFilter(capabilities);
  let wanted: readonly string[] = [];
  let current: McpSubscription | undefined;
  let changing: Promise<void> = Promise.resolve();

  /** Begins the new stream before it ends the old one, so that no change falls between them. */
  async function replace(): Promise<void> {
    const previous = current;
    const filter = { ...lists, ...(wanted.length > 0 && { resourceSubscriptions: [...wanted] }) };
    const next =
      Object.keys(filter).length === 0 ? undefined : await listen(filter, { timeout: CONFIRM_MS, signal: closing });
    current = next;
    void next?.closed.then(() => {
      if (current === next) resume(RETRY_MS.first);
    });
    await previous?.close();
  }

  function change(): Promise<void> {
    changing = changing.catch(() => undefined).then(replace);
    return changing;
  }

  function resume(delayMs: number): void {
    current = undefined;
    if (closing.aborted) return;
    const retry = (): void =>
      void change().then(onResumed, (error: unknown) => {
        if (!isOver(error)) resume(Math.min(2 * delayMs, RETRY_MS.longest));
      });
    setTimeout(retry, delayMs).unref();
  }

  // A server that reports nothing has its lists asked for each time.
  void change().catch(() => undefined);
  return {
    watch: (uris) => {
      wanted = uris;
      return change();
    },
    watches: (uri) => current?.honoredFilter.resourceSubscriptions?.includes(uri) === true,
    reports: (kind) => current?.honoredFilter[filterKeys[kind]] === true,
  };
}

/** Whether there is no connection any more to ask over. */
const isOver = (error: unknown): boolean =>
  error instanceof SdkError && [SdkErrorCode.NotConnected, SdkErrorCode.ConnectionClosed].includes(error.code);

type ListFilterKey = 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged';

const filterKeys: Readonly<Record<ListKind, ListFilterKey>> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
  resourceTemplates: 'resourcesListChanged',
};

function toListFilter({ tools, prompts, resources }: OpenLink['capabilities']): SubscriptionFilter {
  return {
    ...(tools?.listChanged === true && { toolsListChanged: true }),
    ...(prompts?.listChanged === true && { promptsListChanged: true }),
    ...(resources?.listChanged === true && { resourcesListChanged: true }),
  };
}
