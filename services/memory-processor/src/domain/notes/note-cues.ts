import type { NoteType } from '@contextloom/contracts';
import { projectPatterns as patterns } from '@contextloom/retrieval/statements';

/** Words by which a sentence of a working session is known to be worth keeping. */
export interface NoteCue {
  readonly type: NoteType;
  /** How much it weighs against other sentences of the session. */
  readonly weight: number;
  readonly words: RegExp;
}

/** How much a rule weighs that a person states; one that an assistant states is its own. */
export const RULE_WEIGHT = 5;

/** The first cue that fits names the type. */
export const noteCues: readonly NoteCue[] = [
  { type: 'insight', weight: 5, words: patterns.decisions },
  { type: 'insight', weight: 4, words: patterns.causes },
  { type: 'insight', weight: 3, words: patterns.uses },
  { type: 'testing', weight: 2, words: patterns.tests },
  { type: 'plan', weight: 2, words: patterns.openEnds },
];

/** Reasons make a decision worth more. */
export const reasonWords = patterns.reasons;

/** A sentence that goes on with the reason of the one before. */
export const continuesReason = /^(?:because|since|that way|this way|the reason|otherwise|因为|由于|这样|否则|原因)/iu;

/** What an assistant says it is about to do, and courtesies: no later session needs them. */
export const chatter =
  /^(?:let me|i'll|i will|i'm going to|i am going to|now i|now let|i need to|i should|first,? (?:i|let)|looking at|checking|sure|great|perfect|thanks|thank you|sounds good|you're (?:absolutely )?right|让我|我来|我先|我现在|接下来我|好的|谢谢|没问题)/iu;
