import type { GetUserMemoriesResponse } from '@contextloom/contracts';
import type { FoundMemory } from './memories.ts';
import { toStatedDay } from './prompt-memories.ts';

type UserMemory = GetUserMemoriesResponse['memories'][number];

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The names that conversations get which neither their source nor their caller names. */
const NAMELESS = /^conversation-[0-9a-f]{8,64}(?:-\d{1,6})?$/u;

/** What a conversation is called: by people, else by its source; one without any name has its day. */
function toConversationName(metadata: Readonly<Record<string, unknown>>): string | undefined {
  const { transcript, title, said_at, occurred_at, created_at } = metadata;
  const name = toText(title) ?? toText(transcript);
  if (name === undefined || !NAMELESS.test(name)) return name;
  const day = [said_at, occurred_at, created_at].map(toText).find((moment) => moment !== undefined);
  return day === undefined ? 'a conversation' : `a conversation of ${day.slice(0, 10)}`;
}

/** Where a memory came from: the conversation and its turns, such as "Spring in Leith 3-8". */
function toSource(metadata: Readonly<Record<string, unknown>>): string | undefined {
  const { turns } = metadata;
  const name = toConversationName(metadata);
  const range = toText(turns);
  return name !== undefined && range !== undefined ? `${name} ${range}` : name;
}

/** Turns a found memory into the form that `get_user_memories` answers with; what the metadata does not tell is null or absent. */
export function toUserMemory(memory: FoundMemory, zone?: string): UserMemory {
  const { id, content, tags, metadata, relevance } = memory;
  const day = toStatedDay(memory, zone);
  const { importance, memory_type, created_at, occurred_at, occurred_on, ended_at, ended_on } = metadata;
  const [occurredAt, occurredOn, endedAt, endedOn] = [occurred_at, occurred_on, ended_at, ended_on].map(toText);
  const source = toSource(metadata);
  return {
    ...(id !== '' && { id }),
    content,
    importance: typeof importance === 'number' ? importance : null,
    memory_type: toText(memory_type) ?? null,
    created_at: toText(created_at) ?? null,
    tags: [...tags],
    ...(occurredAt !== undefined && { occurred_at: occurredAt }),
    ...(occurredOn !== undefined && { occurred_on: occurredOn }),
    ...(day !== undefined && { day }),
    ...(endedAt !== undefined && { ended_at: endedAt }),
    ...(endedOn !== undefined && { ended_on: endedOn }),
    ...(source !== undefined && { source }),
    ...(relevance !== undefined && { relevance }),
  };
}
