import type { Persona } from '../domain/persona.ts';

/** A store of personas. */
export interface PersonaStore {
  /** The names of all personas, sorted. */
  readonly names: () => Promise<readonly string[]>;
  /**
   * Reads one persona.
   * @throws ContextloomError `invalid` for an impossible name or a broken file, `not_found` with the names that it knows
   */
  readonly load: (name: string) => Promise<Persona>;
}
