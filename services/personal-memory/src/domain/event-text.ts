import type { JsonValue } from '@contextloom/contracts';
import type { MemoryEvent } from './model.ts';

function toTexts(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(toTexts);
  return [];
}

/** The text by which an event is found: what it says, its tags, and the words of its metadata. */
export function toEventText({
  description,
  tags,
  metadata,
}: Pick<MemoryEvent, 'description' | 'tags' | 'metadata'>): string {
  return [description, ...tags, ...toTexts(metadata)].join('\n');
}
