import { ContextloomError, parseInput, personaNameSchema } from '@contextloom/contracts';
import type { PersonaStore } from './persona-store.ts';

/** Several stores as one; of two personas with the same name, the first store's wins. */
export function createLayeredPersonaStore(stores: readonly PersonaStore[]): PersonaStore {
  const allNames = () => Promise.all(stores.map((store) => store.names()));
  return {
    names: async () => [...new Set((await allNames()).flat())].sort(),
    load: async (name) => {
      parseInput(personaNameSchema, name, ['persona']);
      const named = await allNames();
      const store = stores[named.findIndex((names) => names.includes(name))];
      if (store !== undefined) return store.load(name);
      const there = [...new Set(named.flat())].sort().join(', ') || 'none';
      throw new ContextloomError('not_found', `no persona "${name}"; there are: ${there}`, { field: 'persona' });
    },
  };
}
