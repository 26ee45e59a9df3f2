import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { findAttribute } from '@contextloom/retrieval/attributes';
import { defineOperation } from '@contextloom/server-kit';
import { type Followed, toFollowedField, toFollowedText } from '../../sources/stores/followed.ts';
import { rememberFact } from '../../sources/stores/remember.ts';
import { type ChatCall, type ChatContext, changeMemory, findMemory, followMemory, toStoreContext } from './deps.ts';

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
  run: async ({ text, dry_run: isDryRun = false, ...call }, context: ChatContext) => {
    const { service, followed } = await (isDryRun ? foresee : correct)(text, call, context);
    const changes = toFollowedText(followed, isDryRun);
    const message = `${isDryRun ? 'Not corrected yet' : 'Corrected'}${changes === '' ? '' : `${isDryRun ? ':' : ';'} ${changes}`}.`;
    return { id: call.id, store: service, message, ...toFollowedField(followed) };
  },
});

type Call = ChatCall & { readonly id: string };

/** What would follow from a correction. */
async function foresee(text: string, call: Call, context: ChatContext) {
  const { service } = await findMemory(call, context);
  const change = { sources: [call.id], change: 'corrected', now: text, isDryRun: true } as const;
  const followed = await followMemory(call, context, change);
  const rewritten = findRewritten(followed, text);
  return { service, followed: rewritten === undefined ? followed : withRewritten(followed, rewritten) };
}

async function correct(text: string, call: Call, context: ChatContext) {
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
  return { service, followed: await rewrite([...own, ...elsewhere], { id: call.id, text, call }, context) };
}

interface Corrected {
  readonly id: string;
  readonly text: string;
  readonly call: ChatCall;
}

/** The attribute of the profile that was drawn from a sentence and that the sentence gives another value now. */
function findRewritten(followed: readonly Followed[], text: string) {
  const attribute = findAttribute(text);
  const isGone = followed.some((one) => one.id === `fact:${attribute?.key}` && one.what === 'marked');
  return isGone ? attribute : undefined;
}

const withRewritten = (
  followed: readonly Followed[],
  { key, value }: { readonly key: string; readonly value: string },
) =>
  followed.map(
    (one): Followed => (one.id === `fact:${key}` ? { id: one.id, what: 'rewritten', text: `${key}: ${value}` } : one),
  );

/** Gives an attribute of the profile that was drawn from a sentence the value that the sentence says now. */
async function rewrite(
  followed: readonly Followed[],
  { id, text, call }: Corrected,
  context: ChatContext,
): Promise<readonly Followed[]> {
  const attribute = findRewritten(followed, text);
  if (attribute === undefined) return followed;
  const stored = await rememberFact({ ...attribute, sources: [id] }, toStoreContext(call, context));
  return stored.kind === 'failed' ? followed : withRewritten(followed, attribute);
}
