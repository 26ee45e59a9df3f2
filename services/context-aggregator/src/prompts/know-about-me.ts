import type { PromptDefinition } from '@contextloom/server-kit';
import { toFenced } from '../domain/composing/prompt.ts';
import { toMemoryId } from '../domain/stores/memory-id.ts';
import { toShownText } from '../domain/stores/stored-memory.ts';
import { type ChatDeps, toStores } from '../operations/chat/deps.ts';
import { listAcross } from '../sources/stores/list-across.ts';

/** How many memories the prompt lists; list_memories has the rest. */
const LISTED = 60;

const words = {
  en: {
    ask: 'Tell me, grouped by topic and in plain words, what you know about me. Ask me what is wrong or should go; correct it with update_memory and delete it with forget, by the ids in brackets.',
    nothing: 'Nothing is remembered about me yet. Tell me so, and ask what I would like you to remember.',
    list: 'What is remembered about me.',
    more: 'There is more: list_memories shows it.',
    missing: 'Could not be asked:',
  },
  zh: {
    ask: '请按主题、用平实的话告诉我你了解我什么。问我哪些不对、哪些该删；按方括号里的编号用 update_memory 更正，用 forget 删除。',
    nothing: '还没有记住任何关于我的事。请告诉我，并问我希望你记住什么。',
    list: '关于我记住的内容。',
    more: '还有更多：用 list_memories 查看。',
    missing: '没能查询：',
  },
} as const;

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
    { name: 'language', description: 'en (default) or zh.', required: false },
    { name: 'user_id', description: 'The user.', required: true },
  ],
  render: async ({ language, user_id = '' }, deps, call) => {
    const written = language === 'zh' ? 'zh' : 'en';
    const said = words[written];
    const stores = toStores({ user_id }, { ...call, deps });
    const { memories, next, notAsked } = await listAcross(stores, { limit: LISTED });
    const lines = memories.flatMap(({ kind, own, text, time, isConversation = false }) => {
      const { text: guarded } = deps.guard(toShownText(text, ''), { hasSpeakers: isConversation });
      return guarded.trim() === ''
        ? []
        : [`- [${toMemoryId({ kind, own })}] ${toDated(guarded, time, deps.zone).replaceAll('\n', '\n  ')}`];
    });
    const missing = notAsked.map(({ store, reason }) => `${said.missing} ${store} ${reason}`);
    if (lines.length === 0) return [said.nothing, ...missing].join('\n');
    const list = toFenced(`${lines.join('\n')}\n`, written).trimEnd();
    return [said.ask, '', said.list, list, ...(next === undefined ? [] : [said.more]), ...missing].join('\n');
  },
};
