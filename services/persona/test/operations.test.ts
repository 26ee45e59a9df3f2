import { localPrincipal } from '@contextloom/access';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory } from '@contextloom/testing';
import { describe, expect, it } from '@jest/globals';
import { createPersonaServer } from '../src/build-server.ts';
import type { Persona } from '../src/domain/persona.ts';
import { createOperations } from '../src/operations/index.ts';

/** The persona that the examples are of. */
const marlow: Persona = {
  name: 'marlow',
  displayName: 'Marlow',
  language: 'en',
  description: undefined,
  personaText: 'You are {{char}}, a friend of {{user}}.\n',
  safetyText: 'Be kind to {{user}}.\n',
  worldBook: [
    {
      id: 'awl',
      keywords: ['awl'],
      title: "The cobbler's awl",
      chunks: [{ id: 'awl-1', text: 'The awl came from his master; red thread is wound around its handle.' }],
    },
  ],
};

describe('the operations of a persona', () => {
  it('have examples that say what they answer, to a caller who may only read and reaches nobody', async () => {
    const server = createPersonaServer({ persona: marlow, version: '0', log: silentLog });
    const caller = { ...localPrincipal, users: [], projects: [], scopes: ['read'] as const };
    const client = await connectInMemory(server, caller);
    for (const { name, input, output, example } of createOperations(marlow)) {
      expect([name, input.safeParse(example?.input).error]).toEqual([name, undefined]);
      expect([name, output.safeParse(example?.output).data]).toEqual([name, example?.output]);
      const { structured } = await client.callTool(name, Object(example?.input));
      expect([name, structured]).toEqual([name, example?.output]);
    }
    await client.close();
  });
});
