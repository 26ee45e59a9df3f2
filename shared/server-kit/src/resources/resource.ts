import type { Principal } from '@contextloom/access';
import { ContextloomError, parseInput } from '@contextloom/contracts';
import type { z } from 'zod';
import type { ToolCall } from '../tool/tool.ts';
import { createTemplateMatcher } from './uri-template.ts';

/** What a resource holds: text, or bytes such as an image. */
export type ResourceContent = { readonly text: string } | { readonly blob: Uint8Array };

/** One resource of a template, as `resources/list` shows it. */
export interface TemplateMember {
  /** Those that the URI names; bound ones are left out. */
  readonly variables: Readonly<Record<string, string>>;
  readonly name: string;
  readonly title?: string;
}

/** A resource as data: what clients see, and the function behind it. */
export interface ResourceDefinition<V extends z.ZodObject, Deps> {
  /** A URI, or a template of URIs such as `memory://trends/{event_type}.svg{?user_id}` (RFC 6570). */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** The template's variables, which arrive as text; `z.object({})` for a plain URI. */
  readonly variables: V;
  /** The resources of a template that are worth listing; `bound` are the server's fixed parameters. */
  readonly list?: (
    bound: Readonly<Record<string, string>>,
    deps: Deps,
    caller: Pick<ToolCall, 'principal'>,
  ) => readonly TemplateMember[] | Promise<readonly TemplateMember[]>;
  /** Which callers it is for, where its variables do not say: for others it is neither listed, read nor watched. */
  readonly isFor?: (principal: Principal, deps: Deps) => boolean;
  readonly read: (variables: z.output<V>, deps: Deps, call: ToolCall) => ResourceContent | Promise<ResourceContent>;
}

/** A resource whose variables' types are sealed inside, so that resources of all kinds stand in one list. */
export interface Resource<Deps> extends Omit<ResourceDefinition<z.ZodObject, Deps>, 'read'> {
  /** The variables of a URI of this resource, undefined for another's; throws `forbidden` for a bound variable's other value. */
  readonly match: (uri: string) => Readonly<Record<string, string>> | undefined;
  /** Parses the variables and reads; rejects with `ContextloomError`. */
  readonly read: (variables: unknown, deps: Deps, call: ToolCall) => Promise<ResourceContent>;
}

/** Seals a definition: variables are parsed before its function runs. */
export function defineResource<V extends z.ZodObject, Deps>(definition: ResourceDefinition<V, Deps>): Resource<Deps> {
  const { read, ...shown } = definition;
  return {
    ...shown,
    match: createTemplateMatcher(definition.uri),
    read: async (variables, deps, call) => read(parseInput(definition.variables, variables), deps, call),
  };
}

/**
 * Finds the resource that a URI names.
 * @throws ContextloomError `not_found`, or `forbidden` when the URI names another value of a bound variable
 */
export function findResource<Deps>(resources: readonly Resource<Deps>[], uri: string) {
  for (const resource of resources) {
    const variables = resource.match(uri);
    if (variables !== undefined) return { resource, variables };
  }
  throw new ContextloomError('not_found', `there is no resource ${uri}`, { field: 'uri' });
}
