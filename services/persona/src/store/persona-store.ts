import type { Persona } from '../domain/persona.ts';

/** Where personas are kept. */
export interface PersonaStore {
  /** The names of the personas there are, sorted. */
  readonly names: () => Promise<readonly string[]>;
  /**
   * Reads one persona.
   * @throws ContextloomError `invalid` for an impossible name or a broken file, `not_found` listing the personas there are
   */
  readonly load: (name: string) => Promise<Persona>;
}
