import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { toIso } from '../../domain/times.ts';
import { toListText } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Lists the earlier values of an attribute. */
export const queryProfileHistoryOperation = defineOperation({
  name: 'query_profile_history',
  title: 'Earlier values of a fact',
  description: 'Lists every value that a basic fact about the user had, newest first, with when and how it came.',
  effect: 'reads',
  scope: 'user',
  ...contract.query_profile_history,
  example: {
    input: { user_id: 'ann', key: 'city' },
    output: {
      versions: [
        {
          version: 1,
          value: 'Leith',
          category: 'basic_info',
          tags: [],
          confidence: 1,
          change: 'set',
          changed_at: '2026-03-02T09:30:00.000Z',
        },
      ],
    },
  },
  toText: ({ versions }) => toListText(versions),
  run: ({ user_id, key }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, ({ memory }) => ({
      versions: memory.history(key).map(({ version, value, category, tags, confidence, change, changedAt }) => ({
        version,
        value,
        category,
        tags: [...tags],
        confidence,
        change,
        changed_at: toIso(changedAt),
      })),
    })),
});
