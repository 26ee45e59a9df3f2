import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { ownerPatchSchema } from '../../domain/identity/owner.ts';
import { spiritPatchSchema } from '../../domain/identity/spirit.ts';
import { identitySchema } from '../../domain/model/answers.ts';
import type { AgentMemoryContext } from '../deps.ts';
import { exampleIdentity } from '../examples.ts';

/** Writes who the agent is and whom it serves. */
export const updateIdentity = defineOperation({
  name: 'update_identity',
  title: 'Write who the agent is and whom it serves',
  description:
    'Writes fields of SPIRIT.md (spirit) and OWNER.md (owner). A field that is given replaces what its section says; those left out stay.',
  effect: 'replaces',
  scope: 'none',
  input: z
    .object({ spirit: spiritPatchSchema.optional(), owner: ownerPatchSchema.optional() })
    .refine(({ spirit, owner }) => spirit !== undefined || owner !== undefined, 'must have spirit, owner or both'),
  output: identitySchema,
  example: { input: { owner: { name: 'Ann', age: 32 } }, output: exampleIdentity },
  run: ({ spirit, owner }, { deps, principal }: AgentMemoryContext) =>
    deps.memoryFor(principal).identity.write({ spirit, owner }),
});
