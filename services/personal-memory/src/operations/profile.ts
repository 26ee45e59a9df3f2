import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import type { ProfileEntry } from '../domain/model.ts';
import { type PageRequest, readListed } from '../domain/pages.ts';
import { ageConfidence } from '../domain/profile/confidence.ts';
import { deleteProfile, rollBackProfile, updateProfile } from '../domain/profile/profile.ts';
import { type Fit, searchProfile } from '../domain/search/search.ts';
import { toIso, toTimeRange } from '../domain/times.ts';
import { toDeletionAnswer, toFit, toListText, toPageFields } from './answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from './deps.ts';

/** Writes an attribute with the confidence that it has now. */
function toProfileAnswer(entry: ProfileEntry, now: Date, fit: Fit = {}) {
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
const exampleFact = {
  key: 'city',
  value: 'Leith',
  category: 'basic_info' as const,
  updated_at: '2026-03-02T09:30:00.000Z',
  confidence: 1,
  tags: [],
};

/** Stores an attribute of the user. */
export const updateProfileOperation = defineOperation({
  name: 'update_profile',
  title: 'Remember something about the user',
  description:
    'Stores or replaces a basic fact about the user, such as where they work, what they like, a habit. Answers with the value that was there, and with what other keys that mean the same say (city, location).',
  effect: 'replaces',
  scope: 'user',
  ...contract.update_profile,
  example: {
    input: { user_id: 'ann', key: 'city', value: 'Leith', category: 'basic_info' },
    output: {
      updated: true,
      had_previous_value: true,
      previous_value: 'Berlin',
      contradicts_today: [],
      conflicts: [{ key: 'location', value: 'Berlin' }],
    },
  },
  run: ({ user_id, ...update }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { previous, contradicted, conflicts, end } = await updateProfile(update, context);
      return {
        updated: true,
        had_previous_value: previous !== undefined,
        previous_value: previous?.value ?? null,
        contradicts_today: [...contradicted],
        conflicts: conflicts.map(({ key, value }) => ({ key, value })),
        ...(end !== undefined && { expires_at: toIso(end) }),
      };
    }),
});

/** Lists attributes of the user. */
export const queryProfileOperation = defineOperation({
  name: 'query_profile',
  title: "Get the user's profile",
  description: 'Lists basic facts about the user: all, some by their keys, or those of a category.',
  effect: 'reads',
  scope: 'user',
  ...contract.query_profile,
  example: {
    input: { user_id: 'ann', category: 'basic_info' },
    output: { profile: [exampleFact] },
  },
  toText: ({ profile }) => toListText(profile),
  run: ({ user_id, limit, offset, time_range, ...given }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { memory, clock } = context;
      const filter = { ...given, range: toTimeRange(time_range, context) };
      const read = (page: PageRequest) => memory.profile(filter, page);
      const listed = await readListed(read, () => memory.countProfile(filter), { limit, offset });
      return { profile: listed.items.map((entry) => toProfileAnswer(entry, clock())), ...toPageFields(listed) };
    }),
});

/** Searches attributes of the user. */
export const searchProfileOperation = defineOperation({
  name: 'search_profile_by_keywords',
  title: 'Find facts about the user',
  description: 'Finds basic facts about the user by words in their keys, values and tags, best first.',
  effect: 'reads',
  scope: 'user',
  ...contract.search_profile_by_keywords,
  example: {
    input: { user_id: 'ann', keywords: ['Leith'] },
    output: { profile: [{ ...exampleFact, relevance_score: 1, matched_keywords: ['Leith'] }] },
  },
  toText: ({ profile }) => toListText(profile),
  run: ({ user_id, ...search }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const hits = await searchProfile(search, context);
      return { profile: hits.map(({ item, ...fit }) => toProfileAnswer(item, context.clock(), fit)) };
    }),
});

/** Deletes an attribute of the user. */
export const deleteProfileOperation = defineOperation({
  name: 'delete_profile',
  title: 'Forget a fact about the user',
  description:
    'Deletes a basic fact about the user. rollback_profile can bring it back, unless its history is erased as well.',
  effect: 'deletes',
  scope: 'user',
  ...contract.delete_profile,
  example: {
    input: { user_id: 'ann', key: 'city' },
    output: { deleted: true, changes: 1 },
  },
  run: ({ user_id, key, erase_history }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { isDeleted, consequences } = await deleteProfile({ key, eraseHistory: erase_history }, context);
      return toDeletionAnswer(isDeleted, consequences);
    }),
});

/** Lists the earlier values of an attribute. */
export const queryProfileHistoryOperation = defineOperation({
  name: 'query_profile_history',
  title: 'List earlier values of a fact',
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
    withMemoryOf(user_id, call, async ({ memory }) => ({
      versions: (await memory.history(key)).map(
        ({ version, value, category, tags, confidence, change, changedAt }) => ({
          version,
          value,
          category,
          tags: [...tags],
          confidence,
          change,
          changed_at: toIso(changedAt),
        }),
      ),
    })),
});

/** Restores an earlier value of an attribute. */
export const rollbackProfileOperation = defineOperation({
  name: 'rollback_profile',
  title: 'Restore an earlier value',
  description:
    'Brings back an earlier value of a basic fact, also of a deleted one: that of a version, or the one before.',
  effect: 'replaces',
  scope: 'user',
  ...contract.rollback_profile,
  example: {
    input: { user_id: 'ann', key: 'city', to: 1 },
    output: { rolled_back: true, value: 'Leith', previous_value: 'Hull' },
  },
  run: ({ user_id, ...args }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const outcome = await rollBackProfile(args, context);
      if (outcome === undefined) {
        const message = 'there is no such version; query_profile_history shows those there are';
        return { rolled_back: false, value: null, previous_value: null, message };
      }
      return { rolled_back: true, value: outcome.restored.value, previous_value: outcome.previous?.value ?? null };
    }),
});
