import { LANGUAGES } from '@contextloom/contracts';
import { wordsOf } from '@contextloom/languages';
import { toFenced } from '@contextloom/safety';
import type { PromptDefinition } from '@contextloom/server-kit';
import { toMemoryId } from '../domain/stores/memory-id.ts';
import { toShownText } from '../domain/stores/stored-memory.ts';
import { type ChatDeps, toStores } from '../operations/chat/deps.ts';
import { listAcross } from '../sources/stores/list-across.ts';

/** How many memories the prompt lists; list_memories has the rest. */
const LISTED = 60;

/** A text with its day where the user is, unless it begins with one. */
function toDated(text: string, time: string | undefined, zone: string): string {
  const at = Date.parse(time ?? '');
  if (Number.isNaN(at) || /^\[\d{4}/u.test(text)) return text;
  return `[${new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at)}] ${text}`;
}

/** The question "what do you know about me", with what there is to answer it from. */
export const knowAboutMe: PromptDefinition<ChatDeps> = {
  name: 'what_do_you_know_about_me',
  title: 'What do you know about me? 你了解我什么？',
  description: 'Lists what is remembered about the user, to review, correct and delete.',
  arguments: [
    { name: 'language', description: `${LANGUAGES.join(' or ')}; en when absent.`, required: false },
    { name: 'user_id', description: 'The user.', required: true },
  ],
  render: async ({ language, user_id = '' }, deps, call) => {
    const written = LANGUAGES.find((one) => one === language) ?? 'en';
    const said = wordsOf(written).review;
    const stores = toStores({ user_id }, { ...call, deps });
    const { memories, next, notAsked } = await listAcross(stores, { limit: LISTED });
    const lines = memories.flatMap(({ kind, own, text, time, isConversation = false }) => {
      const { text: guarded } = deps.sanitize(toShownText(text, ''), { hasSpeakers: isConversation });
      return guarded.trim() === ''
        ? []
        : [`- [${toMemoryId({ kind, own })}] ${toDated(guarded, time, deps.zone).replaceAll('\n', '\n  ')}`];
    });
    const missing = notAsked.map(({ store, reason }) => `${said.missing} ${store} ${reason}`);
    if (lines.length === 0) return [said.nothing, ...missing].join('\n');
    const list = toFenced(`${lines.join('\n')}\n`, wordsOf(written).prompt.fence).trimEnd();
    return [said.ask, '', said.list, list, ...(next === undefined ? [] : [said.more]), ...missing].join('\n');
  },
};
