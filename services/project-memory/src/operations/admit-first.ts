import { ContextloomError } from '@contextloom/contracts';
import type { Operation } from '@contextloom/server-kit';
import { type ProjectMemoryDeps, requireOwner } from './deps.ts';

/**
 * An operation that refuses who may not ask before it looks at the rest of a call: another owner is named, or, where it is about
 * the whole memory, the caller reaches a part of the projects alone.
 */
export function admitFirst(operation: Operation<ProjectMemoryDeps>): Operation<ProjectMemoryDeps> {
  const isAboutAll = operation.scope === 'none' && Object.hasOwn(operation.input.shape, 'user_id');
  return {
    ...operation,
    call: async (args, context, options) => {
      requireOwner(Reflect.get(Object(args), 'owner_id'), context.deps);
      if (isAboutAll && context.principal.projects !== 'all') {
        throw new ContextloomError(
          'forbidden',
          `${operation.name} is about all projects, which this caller does not reach`,
        );
      }
      return operation.call(args, context, options);
    },
  };
}
