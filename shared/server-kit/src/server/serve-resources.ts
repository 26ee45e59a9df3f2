import type { Principal } from '@contextloom/access';
import { ContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import type { McpRequestContext, Server, ServerEventBus } from '@modelcontextprotocol/server';
import type { BoundParameters } from '../operation/bind-parameters.ts';
import { findResource, type Resource, type ResourceContent } from '../resources/resource.ts';
import { expandTemplate, isTemplate } from '../resources/uri-template.ts';
import { toCaller, toToolCall } from '../tool/tool-call.ts';
import { toProtocolError } from '../tool/tool-errors.ts';

/** Most resources that one session may watch. */
const MAX_SUBSCRIPTIONS = 1_024;

/** What resources are served from. */
export interface ServedResources<Deps> {
  readonly resourcesFor: (principal: Principal) => readonly Resource<Deps>[];
  readonly boundFor: (principal: Principal) => BoundParameters;
  readonly principal: Principal;
  readonly changes?: ServerEventBus | undefined;
  readonly deps: Deps;
  readonly log: Log;
}

/** Answers a server's resource requests and tells its client of changes, in both protocol eras. */
export function serveResources<Deps>(server: Server, served: ServedResources<Deps>, context: McpRequestContext): void {
  const { resourcesFor, principal, deps, log, changes } = served;
  server.setRequestHandler('resources/list', async (_list, request) => {
    try {
      return { resources: await listResources(served, toCaller(request, principal)) };
    } catch (error) {
      throw toProtocolError(error, 'resources/list', log);
    }
  });
  server.setRequestHandler('resources/templates/list', (_list, request) => ({
    resourceTemplates: listedFor(served, toCaller(request, principal))
      .filter(({ uri }) => isTemplate(uri))
      .map((resource) => ({ uriTemplate: resource.uri, ...toShown(resource) })),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, request) => {
    try {
      const call = toToolCall(request, { log, principal, hasModel: false });
      const { resource, variables } = findResource(resourcesFor(call.principal), uri);
      const content = await resource.read(variables, deps, call);
      return { contents: [{ uri, mimeType: resource.mimeType, ...toWire(content) }] };
    } catch (error) {
      throw toProtocolError(error, uri, log);
    }
  });
  if (changes !== undefined) tellChanges(server, served, changes, context);
}

function toShown<Deps>({ name, title, description, mimeType }: Resource<Deps>) {
  return { name, title, description, mimeType };
}

function toWire(content: ResourceContent) {
  if ('text' in content) return { text: content.text };
  return { blob: Buffer.from(content.blob).toString('base64') };
}

/** Resources of others are not listed; to read one is forbidden. */
function listedFor<Deps>({ resourcesFor, deps }: ServedResources<Deps>, caller: Principal): readonly Resource<Deps>[] {
  return resourcesFor(caller).filter(({ isFor }) => isFor?.(caller, deps) ?? true);
}

async function listResources<Deps>(served: ServedResources<Deps>, caller: Principal) {
  const { boundFor, deps } = served;
  const lists = await Promise.all(
    listedFor(served, caller).map(async (resource) => {
      const shown = toShown(resource);
      if (!isTemplate(resource.uri)) return [{ uri: resource.uri, ...shown }];
      const members = (await resource.list?.(boundFor(caller), deps, { principal: caller })) ?? [];
      return members.map(({ variables, name, title = name }) => {
        const uri = expandTemplate(resource.uri, variables);
        return { uri, ...shown, name, title };
      });
    }),
  );
  return lists.flat();
}

/**
 * A 2026-07-28 client listens on a stream of its own: the HTTP endpoint serves it from the same bus, and the stdio entry picks
 * only the requested part of what is sent here. A 2025-era client names each resource to this very server.
 */
function tellChanges<Deps>(
  server: Server,
  served: ServedResources<Deps>,
  changes: ServerEventBus,
  { era, requestInfo }: McpRequestContext,
): void {
  if (era === 'modern' && requestInfo !== undefined) return;
  const watched = new Set<string>();
  const { log } = served;
  if (era === 'legacy') serveSubscriptions(server, served, watched);
  const unsubscribe = changes.subscribe((event) => {
    const sent =
      event.kind === 'resource_updated'
        ? (era === 'modern' || watched.has(event.uri)) && server.sendResourceUpdated({ uri: event.uri })
        : server.sendResourceListChanged();
    if (sent) sent.catch((cause: unknown) => log.debug({ cause }, 'a change could not be sent'));
  });
  server.onclose = unsubscribe;
}

function serveSubscriptions<Deps>(server: Server, served: ServedResources<Deps>, watched: Set<string>): void {
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
    try {
      findResource(served.resourcesFor(served.principal), uri);
      if (watched.size >= MAX_SUBSCRIPTIONS)
        throw new ContextloomError('rate_limited', `a session may watch at most ${MAX_SUBSCRIPTIONS} resources`);
    } catch (error) {
      throw toProtocolError(error, uri, served.log);
    }
    watched.add(uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    watched.delete(uri);
    return {};
  });
}
