import type { Extractor, Fact } from '../../src/domain/extractor.ts';
import type { EpisodeWindow } from '../../src/domain/windows/episodes.ts';

/** A fact as an extractor might draw it. */
export function toFact(content: string, importance: number): Fact {
  return { content, importance, memoryType: 'knowledge', tags: ['scripted'], evidence: [] };
}

/** The extraction port, answering as told, and the windows that it was given. */
export interface ScriptedExtractor extends Extractor {
  readonly read: EpisodeWindow[];
}

/** An extractor that rates every episode 5 and draws the facts that it is told. */
export function createScriptedExtractor(toFacts: (window: EpisodeWindow) => readonly Fact[]): ScriptedExtractor {
  const read: EpisodeWindow[] = [];
  return {
    read,
    info: { kind: 'model', name: 'scripted' },
    extract: async (window) => {
      read.push(window);
      return { episode: { importance: 5, tags: [] }, facts: toFacts(window) };
    },
  };
}
