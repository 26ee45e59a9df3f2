import { onlyReached, type Principal, reachOf, requireReached, type SubjectKind } from '@contextloom/access';
import { BOUND_KEY, ContextloomError } from '@contextloom/contracts';
import { type BoundParameters, bindPrompts, bindResources } from '../operation/bind-parameters.ts';
import type { Resource } from '../resources/resource.ts';
import type { PromptDefinition } from '../tool/prompt.ts';
import type { Tool } from '../tool/tool.ts';
import { toToolSchema } from '../tool/tool-schema.ts';

/** The parameters that name whose data a prompt or a resource is about. */
const subjectFields: Readonly<Record<string, SubjectKind>> = { user_id: 'user', project_key: 'project' };

/** A tool as a principal's client lists it: without the parameter that names the only user whom the principal reaches. */
export function advertise<Deps>(tool: Tool<Deps>, principal: Principal) {
  const { subject } = tool;
  const isHidden = subject !== undefined && onlyReached(reachOf(principal, subject.kind)) !== undefined;
  const schema = toToolSchema(tool.input, 'input');
  const bound = [...(tool.bound ?? []), ...(isHidden ? [subject.field] : [])];
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: isHidden ? withoutProperty(schema, subject.field) : schema,
    outputSchema: toToolSchema(tool.output, 'output'),
    annotations: { title: tool.title, ...tool.annotations },
    ...(bound.length > 0 && { _meta: { [BOUND_KEY]: bound } }),
  };
}

function withoutProperty<S extends ReturnType<typeof toToolSchema>>(schema: S, name: string): S {
  const {
    properties = {},
    required = [],
    ...rest
  } = schema as S & {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  const { [name]: _hidden, ...shown } = properties;
  const left = required.filter((field) => field !== name);
  return { ...rest, properties: shown, ...(left.length > 0 && { required: left }) } as unknown as S;
}

/** The parameters that a principal with one user, or one project, never has to give. */
export function boundBy(principal: Principal): BoundParameters {
  const bound = Object.entries(subjectFields).flatMap(([field, kind]) => {
    const only = onlyReached(reachOf(principal, kind));
    return only === undefined ? [] : [[field, only] as const];
  });
  return Object.fromEntries(bound);
}

/** Refuses an id that the principal does not reach, and a missing id if it reaches several. @throws ContextloomError `forbidden`, `invalid` */
function requireAllReached(
  given: Readonly<Record<string, unknown>>,
  known: readonly string[],
  principal: Principal,
): void {
  for (const [field, kind] of Object.entries(subjectFields)) {
    const reach = reachOf(principal, kind);
    if (reach === 'all' || !known.includes(field)) continue;
    if (given[field] === undefined) {
      throw new ContextloomError('invalid', `${field} is required: this caller may name several`, { field });
    }
    requireReached(reach, given[field], field);
  }
}

/** A server's prompts for one principal. */
export function promptsFor<Deps>(
  prompts: readonly PromptDefinition<Deps>[],
  principal: Principal,
): readonly PromptDefinition<Deps>[] {
  const guarded = prompts.map((prompt): PromptDefinition<Deps> => {
    const known = prompt.arguments.map(({ name }) => name);
    return {
      ...prompt,
      render: (args, deps, call) => {
        requireAllReached(args, known, principal);
        return prompt.render(args, deps, call);
      },
    };
  });
  return bindPrompts(guarded, boundBy(principal));
}

/** A server's resources for one principal. */
export function resourcesFor<Deps>(
  resources: readonly Resource<Deps>[],
  principal: Principal,
  deps: Deps,
): readonly Resource<Deps>[] {
  return bindResources(resources, boundBy(principal)).map((resource) => {
    const known = Object.keys(resource.variables.shape);
    return {
      ...resource,
      match: (uri) => {
        const variables = resource.match(uri);
        if (variables === undefined) return undefined;
        requireAllReached(variables, known, principal);
        if (resource.isFor?.(principal, deps) ?? true) return variables;
        throw new ContextloomError('forbidden', `this caller may not read ${uri}`, { field: 'uri' });
      },
    };
  });
}
