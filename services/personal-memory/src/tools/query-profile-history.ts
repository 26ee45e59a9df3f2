import { z } from 'zod';
import { nameField } from '../domain/fields.ts';
import { categories, changeKinds } from '../domain/model.ts';
import { toIso } from '../domain/times.ts';
import { defineUserTool } from './user-tool.ts';

/** Lists what an attribute was. */
export const queryProfileHistoryTool = defineUserTool({
  name: 'query_profile_history',
  title: 'Earlier values of a fact',
  description: 'Lists every value that a basic fact about the user had, newest first, with when and how it came.',
  kind: 'reads',
  list: 'versions',
  input: z.object({ key: nameField('The key of the fact.') }),
  output: z.object({
    versions: z.array(
      z.object({
        version: z.int().describe('What rollback_profile takes as "to".'),
        value: z.string(),
        category: z.enum(categories).nullable(),
        tags: z.array(z.string()),
        confidence: z.number().describe('As it was stored.'),
        change: z.enum(changeKinds),
        changed_at: z.string(),
      }),
    ),
  }),
  run: ({ key }, { memory }) => ({
    versions: memory.history(key).map(({ version, value, category, tags, confidence, change, changedAt }) => ({
      version,
      value,
      category,
      tags: [...tags],
      confidence,
      change,
      changed_at: toIso(changedAt),
    })),
  }),
});
