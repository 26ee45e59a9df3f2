import type { Extractor } from './extractor.ts';
import { rateWindow } from './rating/importance.ts';
import { RULES } from './rules-name.ts';

/** The extractor that needs no model: rates episodes by written rules in English and Chinese, and draws no facts. */
export function createRulesExtractor(): Extractor {
  return {
    info: { kind: 'rules', name: RULES },
    extract: async (window, { previous, speakers }) => {
      const { importance, valence, kinds, strongest } = rateWindow(window, {
        speakers,
        before: previous?.turns.at(-1),
      });
      return {
        episode: {
          importance,
          ...(valence !== undefined && { valence }),
          tags: [...kinds.keys()],
          ...(strongest !== undefined && { headline: `${strongest.speaker}: ${strongest.text}` }),
        },
        facts: [],
      };
    },
  };
}
