import type { ProfileEntry } from '../../domain/model.ts';
import { ageConfidence } from '../../domain/profile/confidence.ts';
import type { Fit } from '../../domain/search/search.ts';
import { toIso } from '../../domain/times.ts';
import { toFit } from '../answers.ts';

/** Writes an attribute with the confidence that it has now. */
export function toProfileAnswer(entry: ProfileEntry, now: Date, fit: Fit = {}) {
  const { key, value, category, tags: own, updatedAt } = entry;
  const confidence = ageConfidence(entry, now.getTime());
  return {
    key,
    value,
    category,
    updated_at: toIso(updatedAt),
    confidence,
    tags: [...own],
    ...toFit(fit),
  };
}

/** A fact in the examples of answers. */
export const exampleFact = {
  key: 'city',
  value: 'Leith',
  category: 'basic_info' as const,
  updated_at: '2026-03-02T09:30:00.000Z',
  confidence: 1,
  tags: [],
};
