import type { Category } from '../model.ts';
import { round } from '../numbers.ts';
import { daysBetween } from '../times.ts';

/** After how many days half of the confidence is left: a home town stays longer than a habit. */
const HALF_LIFE_DAYS: Readonly<Record<Category | 'none', number>> = {
  basic_info: 1_460,
  preferences: 730,
  habits: 365,
  none: 730,
};

/** What a value was trusted when it was stored, and since when. */
interface Trusted {
  readonly confidence: number;
  readonly category: Category | null;
  readonly updatedAt: number;
}

/** How far a value can be trusted now: it halves with each half-life of its category. In [0, 1], to three decimals. */
export function ageConfidence({ confidence, category, updatedAt }: Trusted, now: number): number {
  const halfLives = daysBetween(updatedAt, now) / HALF_LIFE_DAYS[category ?? 'none'];
  return round(confidence * 0.5 ** halfLives, 3);
}
