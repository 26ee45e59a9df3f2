import { ContextloomError, parseInput, withoutNulls } from '@contextloom/contracts';
import { z } from 'zod';
import type { Resource } from '../resources/resource.ts';
import { bindTemplate } from '../resources/uri-template.ts';
import type { PromptDefinition } from '../tool/prompt.ts';
import type { Operation } from './operation.ts';

/** Parameters whose value is fixed when a server starts, such as `{user_id: 'ann'}`. */
export type BoundParameters = Readonly<Record<string, string>>;

function pickBound(bound: BoundParameters, names: readonly string[]): BoundParameters {
  return Object.fromEntries(Object.entries(bound).filter(([name]) => names.includes(name)));
}

/** Adds the bound values to what a caller gave. @throws ContextloomError `forbidden` when the caller gave another value */
function injectBound(given: unknown, bound: BoundParameters): unknown {
  const args = withoutNulls(given ?? {});
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const values = new Map(Object.entries(args));
  for (const [name, value] of Object.entries(bound)) {
    if (values.has(name) && values.get(name) !== value) {
      const message = `${name} must be ${JSON.stringify(value)} or left out: this server is bound to it`;
      throw new ContextloomError('forbidden', message, { field: name });
    }
  }
  return { ...args, ...bound };
}

function withoutBound<E extends { readonly input: unknown }>(example: E, bound: BoundParameters): E {
  const shown = Object.entries(Object(example.input)).filter(([name]) => !(name in bound));
  return { ...example, input: Object.fromEntries(shown) };
}

/**
 * Fixes parameters of operations: they leave the advertised schemas and are added to each call. A caller may repeat the fixed
 * value; a call with another one is refused by name.
 * @throws ContextloomError `invalid` when an operation's schema refuses the value
 */
export function bindOperations<Deps>(
  operations: readonly Operation<Deps>[],
  parameters: BoundParameters,
): readonly Operation<Deps>[] {
  return operations.map((operation) => {
    const { shape } = operation.input;
    const bound = pickBound(parameters, Object.keys(shape));
    for (const [name, value] of Object.entries(bound)) parseInput(shape[name], value, [name]);
    const shown = Object.fromEntries(Object.entries(shape).filter(([name]) => !(name in bound)));
    return {
      ...operation,
      ...(operation.example !== undefined && { example: withoutBound(operation.example, bound) }),
      input: z.object(shown),
      bound: Object.keys(bound),
      call: async (args, context, options) => operation.call(injectBound(args, bound), context, options),
    };
  });
}

/** The same for the arguments of prompts. */
export function bindPrompts<Deps>(
  prompts: readonly PromptDefinition<Deps>[],
  parameters: BoundParameters,
): readonly PromptDefinition<Deps>[] {
  return prompts.map((prompt) => {
    const names = prompt.arguments.map(({ name }) => name);
    const bound = pickBound(parameters, names);
    return {
      ...prompt,
      arguments: prompt.arguments.filter(({ name }) => !(name in bound)),
      render: (args, deps, call) =>
        prompt.render(injectBound(args, bound) as Readonly<Record<string, string>>, deps, call),
    };
  });
}

/** The same for the variables of resource templates; a template without other variables becomes a plain resource. */
export function bindResources<Deps>(
  resources: readonly Resource<Deps>[],
  parameters: BoundParameters,
): readonly Resource<Deps>[] {
  return resources.map((resource) => {
    const bound = pickBound(parameters, Object.keys(resource.variables.shape));
    return {
      ...resource,
      uri: bindTemplate(resource.uri, bound),
      match: (uri) => {
        const variables = resource.match(uri);
        return variables && (injectBound(variables, bound) as Readonly<Record<string, string>>);
      },
    };
  });
}
