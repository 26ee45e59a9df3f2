import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { findAttribute } from '@contextloom/retrieval/attributes';
import { defineOperation } from '@contextloom/server-kit';
import { type Followed, toFollowedText } from '../../sources/stores/followed.ts';
import { rememberFact } from '../../sources/stores/remember.ts';
import { type ChatCall, type ChatContext, changeMemory, followMemory, toStoreContext } from './deps.ts';

/** Puts one memory into other words. */
export const updateMemory = defineOperation({
  name: 'update_memory',
  title: 'Correct a memory',
  description:
    'Replaces what one memory says; of a fact, its value.\nUse it when the user corrects something: recall it first for its id.',
  effect: 'replaces',
  scope: 'user',
  ...contract.update_memory,
  example: {
    input: { user_id: 'ann', id: 'fact:city', text: 'Leith' },
    output: { id: 'fact:city', store: 'personal-memory', message: 'Corrected.' },
  },
  run: async ({ text, ...call }, context: ChatContext) => {
    const { service, kind, followed: own } = await changeMemory(call, context, (store, own) => store.update(own, text));
    // The knowledge base follows its documents by itself, and those of typed memory.
    const except = kind === 'note' || kind === 'typed' ? 'knowledge-base' : undefined;
    const sources = [call.id, ...own.filter(({ what }) => what === 'marked').map(({ id }) => id)];
    const elsewhere = await followMemory(call, context, {
      sources,
      change: 'corrected',
      now: text,
      isDryRun: false,
      except,
    });
    const followed = await rewrite([...own, ...elsewhere], { id: call.id, text, call }, context);
    const told = toFollowedText(followed, false);
    return {
      id: call.id,
      store: service,
      message: told === '' ? 'Corrected.' : `Corrected; ${told}.`,
    };
  },
});

interface Corrected {
  readonly id: string;
  readonly text: string;
  readonly call: ChatCall;
}

/** Gives an attribute of the profile that was drawn from a sentence the value that the sentence says now. */
async function rewrite(
  followed: readonly Followed[],
  { id, text, call }: Corrected,
  context: ChatContext,
): Promise<readonly Followed[]> {
  const attribute = findAttribute(text);
  const fact = `fact:${attribute?.key}`;
  const isGone = followed.some((one) => one.id === fact && one.what === 'marked');
  if (attribute === undefined || !isGone) return followed;
  const stored = await rememberFact({ ...attribute, sources: [id] }, toStoreContext(call, context));
  if (stored.kind === 'failed') return followed;
  const told = `${attribute.key}: ${attribute.value}`;
  return followed.map((one) => (one.id === fact ? { id: fact, what: 'rewritten', text: told } : one));
}
