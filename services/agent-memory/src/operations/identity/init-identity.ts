import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT, writeErrors } from '../deps.ts';
import { exampleStatus } from '../examples.ts';

/** Makes the files that are missing. */
export const initIdentity = defineOperation({
  name: 'init_identity',
  title: 'Make the files',
  description:
    'Makes SPIRIT.md, OWNER.md, TOOLS.md and MEMORY.md with empty sections where they are missing; never overwrites one.',
  effect: 'adds',
  scope: 'none',
  ...contract.init_identity,
  example: { input: { language: 'en' }, output: { ...exampleStatus, created: ['TOOLS.md'] } },
  route: {
    method: 'post',
    path: `${ROOT}/identity/init`,
    summary: 'Makes the files that are missing, with empty sections; never overwrites one.',
    errors: writeErrors,
  },
  run: ({ language }, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.init(language),
});
