import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT, writeErrors } from './deps.ts';
import { exampleIdentity, exampleOwner, exampleSpirit, exampleStatus, exampleTool } from './examples.ts';

/** Reads the whole identity. */
export const getIdentity = defineOperation({
  name: 'get_identity',
  title: 'Get the identity',
  description: 'Returns SPIRIT.md, OWNER.md and TOOLS.md as data, and which required fields are empty.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_identity,
  example: { input: {}, output: exampleIdentity },
  run: (_request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.read(),
});

/** Reads SPIRIT.md. */
export const getSpirit = defineOperation({
  name: 'get_spirit',
  title: 'Get the agent identity',
  description: 'Returns SPIRIT.md as data.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_spirit,
  example: { input: {}, output: exampleSpirit },
  route: { method: 'get', path: `${ROOT}/identity/spirit`, summary: 'Answers who the agent is.' },
  run: (_request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.spirit(),
});

/** Writes fields of SPIRIT.md. */
export const updateSpirit = defineOperation({
  name: 'update_spirit',
  title: 'Update the agent identity',
  description: 'Writes fields of SPIRIT.md; those left out stay.',
  effect: 'replaces',
  scope: 'none',
  ...contract.update_spirit,
  example: { input: { role: 'A personal assistant.' }, output: exampleSpirit },
  route: {
    method: 'put',
    path: `${ROOT}/identity/spirit`,
    summary: 'Writes fields of SPIRIT.md; those left out stay.',
    errors: writeErrors,
  },
  run: (patch, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.writeSpirit(patch),
});

/** Reads OWNER.md. */
export const getOwner = defineOperation({
  name: 'get_owner',
  title: 'Get the owner profile',
  description: 'Returns OWNER.md as data.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_owner,
  example: { input: {}, output: exampleOwner },
  route: { method: 'get', path: `${ROOT}/identity/owner`, summary: 'Answers whom the agent serves.' },
  run: (_request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.owner(),
});

/** Writes fields of OWNER.md. */
export const updateOwner = defineOperation({
  name: 'update_owner',
  title: 'Update the owner profile',
  description: 'Writes fields of OWNER.md; those left out stay.',
  effect: 'replaces',
  scope: 'none',
  ...contract.update_owner,
  example: { input: { name: 'Ann', age: 32 }, output: exampleOwner },
  route: {
    method: 'put',
    path: `${ROOT}/identity/owner`,
    summary: 'Writes fields of OWNER.md; those left out stay.',
    errors: writeErrors,
  },
  run: (patch, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.writeOwner(patch),
});

/** Tells whether the files say what they have to. */
export const getIdentityStatus = defineOperation({
  name: 'get_identity_status',
  title: 'Get the status of the identity',
  description: 'Tells which files there are, and which required fields are empty.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_identity_status,
  example: { input: {}, output: exampleStatus },
  route: {
    method: 'get',
    path: `${ROOT}/identity/status`,
    summary: 'Tells which files there are, and which required fields are empty.',
  },
  run: (_request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).identity.status(),
});

/** Makes the files that are missing. */
export const initIdentity = defineOperation({
  name: 'init_identity',
  title: 'Create the workspace files',
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

/** Writes who the agent is and whom it serves. */
export const updateIdentity = defineOperation({
  name: 'update_identity',
  title: 'Update agent and owner together',
  description:
    'Writes fields of SPIRIT.md (spirit) and OWNER.md (owner). A field that is given replaces what its section says; those left out stay.',
  effect: 'replaces',
  scope: 'none',
  ...contract.update_identity,
  example: { input: { owner: { name: 'Ann', age: 32 } }, output: exampleIdentity },
  run: ({ spirit, owner }, { deps, principal }: AgentMemoryContext) =>
    deps.memoryFor(principal).identity.write({ spirit, owner }),
});

/** Lists the tools of TOOLS.md. */
export const listTools = defineOperation({
  name: 'list_tools',
  title: 'List the tools of TOOLS.md',
  description: 'Lists the tools of TOOLS.md, those that are off too.',
  effect: 'reads',
  scope: 'none',
  ...contract.list_tools,
  example: { input: {}, output: { items: [exampleTool], total: 1 } },
  route: {
    method: 'get',
    path: `${ROOT}/identity/tools`,
    summary: 'Lists the tools of TOOLS.md, those that are off too.',
  },
  run: async (_request, { deps, principal }: AgentMemoryContext) => {
    const items = await deps.memoryFor(principal).identity.tools();
    return { items, total: items.length };
  },
});

/** Turns a tool of TOOLS.md on or off. */
export const setToolEnabled = defineOperation({
  name: 'set_tool_enabled',
  title: 'Turn a tool on or off',
  description: 'Turns a tool of TOOLS.md on or off; load_context names those alone that are on.',
  effect: 'replaces',
  scope: 'none',
  ...contract.set_tool_enabled,
  example: { input: { name: 'read_file', enabled: true }, output: exampleTool },
  route: {
    method: 'patch',
    path: `${ROOT}/identity/tools/:name`,
    summary: 'Turns a tool of TOOLS.md on or off.',
    errors: [...writeErrors, 'not_found'],
  },
  run: ({ name, enabled }, { deps, principal }: AgentMemoryContext) =>
    deps.memoryFor(principal).identity.setTool(name, enabled),
});
