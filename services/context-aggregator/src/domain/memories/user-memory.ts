import type { GetUserMemoriesResponse } from '@contextloom/contracts';
import type { FoundMemory } from './memories.ts';

type UserMemory = GetUserMemoriesResponse['memories'][number];

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Where a memory came from: the transcript and its turns, such as "spring 3-8". */
function toSource({ transcript, turns }: Readonly<Record<string, unknown>>): string | undefined {
  const name = toText(transcript);
  const range = toText(turns);
  return name !== undefined && range !== undefined ? `${name} ${range}` : name;
}

/** Turns a found memory into the form that `get_user_memories` answers with; what the metadata does not tell is null or absent. */
export function toUserMemory({ id, content, tags, metadata }: FoundMemory): UserMemory {
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
    ...(endedAt !== undefined && { ended_at: endedAt }),
    ...(endedOn !== undefined && { ended_on: endedOn }),
    ...(source !== undefined && { source }),
  };
}
