import type { Category } from '@contextloom/contracts/personal-memory';
import { round } from '../numbers.ts';
import { daysBetween } from '../times.ts';

/** The number of days in which confidence halves: a home town lasts longer than a habit. */
const HALF_LIFE_DAYS: Readonly<Record<Category | 'none', number>> = {
  basic_info: 1_460,
  preferences: 730,
  habits: 365,
  none: 730,
};

/** The confidence of a value when it was stored. */
interface Trusted {
  readonly confidence: number;
  readonly category: Category | null;
  readonly updatedAt: number;
}

/** The confidence in a value now: it halves with each half-life of its category. In [0, 1], to three decimals. */
export function ageConfidence({ confidence, category, updatedAt }: Trusted, now: number): number {
  const halfLives = daysBetween(updatedAt, now) / HALF_LIFE_DAYS[category ?? 'none'];
  return round(confidence * 0.5 ** halfLives, 3);
}
