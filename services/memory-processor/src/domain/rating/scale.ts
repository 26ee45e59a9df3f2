import type { RatingLevel } from '@contextloom/languages/rating';

/** The scale of importance: what stands at each point of it. */
export const anchor = {
  /** A greeting, thanks, an exclamation. */
  greeting: 1,
  /** A question, a compliment, an assistant's own words. */
  question: 2,
  /** A remark in passing. */
  passing: 3,
  /** A feeling or an opinion of the moment. */
  feeling: 4,
  /** An ordinary plan or event, a figure. */
  ordinary: 5,
  /** A plan or an event with its date, a habit, a strong feeling. */
  dated: 6,
  /** A goal, work, study, a skill. */
  goal: 7,
  /** A lasting preference, a relation, health, name, home. */
  lasting: 8,
  /** A diagnosis, an allergy, a new job, a move. */
  grave: 9,
  /** What changes a life, or endangers it. */
  life: 10,
} as const satisfies Readonly<Record<RatingLevel, number>>;
