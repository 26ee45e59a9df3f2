import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { RunnableLambda } from '@langchain/core/runnables';
import type { ContextloomClient } from '../contextloom.ts';
import { BESIDE, createTurnMemory, type Turn, type TurnOptions } from '../turns/turn-memory.ts';

/** What composes the messages of a chat; storing is a call of `memory.store`. */
export type LangChainMemoryOptions = Omit<TurnOptions, 'store' | 'waitUntil'>;

function toTurns(messages: readonly BaseMessage[]): readonly Turn[] {
  return messages.flatMap((message): readonly Turn[] => {
    const { type, text } = message;
    if (text === '' || (type !== 'human' && type !== 'ai')) return [];
    return [{ role: type === 'human' ? 'user' : 'assistant', content: text }];
  });
}

/** A message of the user with a block behind its words; all else of it stays. */
function withRecall({ content, id, name, additional_kwargs }: BaseMessage, recall: string): HumanMessage {
  const block = { type: 'text', text: recall };
  return new HumanMessage({
    content: typeof content === 'string' ? content + BESIDE + recall : [...content, block],
    additional_kwargs,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
  });
}

/**
 * A step in front of a model, as in `langChainMessages(memory, options).pipe(model)`: the messages get the system prompt of the persona in
 * front, and what is remembered with the newest one of the user.
 */
export function langChainMessages(
  memory: ContextloomClient,
  options: LangChainMemoryOptions,
): RunnableLambda<BaseMessage[], BaseMessage[]> {
  const turnMemory = createTurnMemory(memory, { ...options, store: false });
  return RunnableLambda.from<BaseMessage[], BaseMessage[]>(async (messages, config) => {
    const composed = await turnMemory.compose(toTurns(messages), config?.signal);
    if (composed === undefined) return messages;
    const { system, recall } = composed;
    const at = recall === '' ? -1 : messages.findLastIndex(({ type }) => type === 'human');
    const said = messages.map((message, index) => (index === at ? withRecall(message, recall) : message));
    return [new SystemMessage(system), ...said];
  });
}
