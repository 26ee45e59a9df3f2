import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { toFollowedField, toFollowedText } from '../../sources/stores/followed.ts';
import { type ChatContext, changeMemory, findMemory, followMemory } from './deps.ts';

/** Deletes one memory, and what rested on it alone. */
export const forget = defineOperation({
  name: 'forget',
  title: 'Forget a memory',
  description:
    'Deletes one memory for good.\nUse it when the user asks to forget something: recall it first for its id.',
  effect: 'deletes',
  scope: 'user',
  ...contract.forget,
  example: {
    input: { user_id: 'ann', id: 'event:3' },
    output: { id: 'event:3', store: 'personal-memory', message: 'Forgotten.' },
  },
  run: async ({ dry_run: isDryRun = false, ...call }, context: ChatContext) => {
    const { kind, service } = await findMemory(call, context);
    // Before it goes itself: a call that was cut off can be made again.
    const elsewhere = await followMemory(call, context, { sources: [call.id], change: 'forgotten', isDryRun });
    const { followed: own } = isDryRun
      ? { followed: [] }
      : await changeMemory(call, context, (store, own) => store.remove(own));
    const followed = [...elsewhere, ...own.filter(({ id }) => !elsewhere.some((one) => one.id === id))];
    const changes = toFollowedText(followed, isDryRun);
    const answer = { id: call.id, store: service, ...toFollowedField(followed) };
    if (isDryRun) return { ...answer, message: `Not forgotten yet${changes === '' ? '' : `: ${changes}`}.` };
    // Events may name it: personal memory keeps an entity for them, and lists it no more.
    const stays = kind === 'entity' ? '; events about it stay' : '';
    return { ...answer, message: `Forgotten${stays}${changes === '' ? '' : `; ${changes}`}.` };
  },
});
