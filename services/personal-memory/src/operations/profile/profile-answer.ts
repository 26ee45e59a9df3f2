import { z } from 'zod';
import { categories, type ProfileEntry } from '../../domain/model.ts';
import { ageConfidence } from '../../domain/profile/confidence.ts';
import type { Fit } from '../../domain/search/search.ts';
import { toIso } from '../../domain/times.ts';
import { fitFields, toFit } from '../wire-schemas.ts';

/** An attribute of the user in an answer. */
export const profileAnswer = z.object({
  key: z.string(),
  value: z.string(),
  category: z.enum(categories).nullable(),
  updated_at: z.string(),
  confidence: z.number().describe('0 to 1; lower the longer ago it was said.'),
  tags: z.array(z.string()),
  ...fitFields,
});

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
