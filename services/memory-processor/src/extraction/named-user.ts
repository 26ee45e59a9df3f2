import type { ExtractionContext } from '../domain/extractor.ts';
import type { EpisodeWindow } from '../domain/windows/episodes.ts';

/** How exports call the person who speaks with an assistant, when they tell no name. */
const NAMELESS = /^(?:user|human|me|用户|我)$/iu;

function withName(window: EpisodeWindow, name: string): EpisodeWindow {
  const turns = window.turns.map((turn) => (NAMELESS.test(turn.speaker) ? { ...turn, speaker: name } : turn));
  return { ...window, turns };
}

/** A window and what surrounds it as a model is shown them: somebody who speaks as `user` alone has a name. */
export function toNamed(
  window: EpisodeWindow,
  context: ExtractionContext,
  name: string | undefined,
): { readonly window: EpisodeWindow; readonly context: ExtractionContext } {
  if (name === undefined) return { window, context };
  const { previous } = context;
  const speakers = context.speakers.map((speaker) => (NAMELESS.test(speaker) ? name : speaker));
  return {
    window: withName(window, name),
    context: { ...context, speakers, previous: previous === undefined ? undefined : withName(previous, name) },
  };
}
