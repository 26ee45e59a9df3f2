import { isContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import { InMemoryServerEventBus, type ServerEvent, type ServerEventBus } from '@modelcontextprotocol/server';
import { findResource, type Resource } from './resource.ts';

/** Where a service says that its resources changed, and where servers listen to tell their clients. */
export interface Changes {
  /** The content behind a URI is another now. */
  readonly resourceUpdated: (uri: string) => void;
  /** There are other resources to list now. */
  readonly resourcesChanged: () => void;
  /** Registers a listener; the answer takes it out again. */
  readonly subscribe: (listener: (event: ServerEvent) => void) => () => void;
}

/** Makes an in-process {@link Changes}; a listener that fails is logged and stops no other. */
export function createChanges({ log }: { readonly log: Log }): Changes {
  const bus = new InMemoryServerEventBus((cause) => log.warn({ cause }, 'a change could not be told'));
  return {
    resourceUpdated: (uri) => bus.publish({ kind: 'resource_updated', uri }),
    resourcesChanged: () => bus.publish({ kind: 'resources_list_changed' }),
    subscribe: (listener) => bus.subscribe(listener),
  };
}

/** Whether one of these resources has this URI, and it may be read. */
export function isServed<Deps>(resources: readonly Resource<Deps>[], uri: string): boolean {
  try {
    findResource(resources, uri);
    return true;
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    return false;
  }
}

/** The changes that clients of a server are notified of: those of its own resources, so that a bound server reveals no other user's. */
export function toEventBus<Deps>(changes: Changes, resources: readonly Resource<Deps>[]): ServerEventBus {
  const isHeard = (event: ServerEvent): boolean =>
    event.kind === 'resource_updated' ? isServed(resources, event.uri) : event.kind === 'resources_list_changed';
  return {
    publish: (event) => {
      if (event.kind === 'resource_updated') changes.resourceUpdated(event.uri);
      if (event.kind === 'resources_list_changed') changes.resourcesChanged();
    },
    subscribe: (listener) => changes.subscribe((event) => isHeard(event) && listener(event)),
  };
}
