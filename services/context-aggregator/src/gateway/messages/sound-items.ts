import { isSpecType } from '@modelcontextprotocol/client';
import type { Item, ListKind } from './provider.ts';

/** Deepest nesting of an entry: deeper ones can be parsed, but not checked or written again. */
const MAX_DEPTH = 128;

/** Whether an entry is what the protocol calls one. */
const isOf: Readonly<Record<ListKind, (item: unknown) => boolean>> = {
  tools: (item) => isSpecType.Tool(item) && isNamedSchema(item.inputSchema) && isNamedSchema(item.outputSchema),
  prompts: isSpecType.Prompt,
  resources: isSpecType.Resource,
  resourceTemplates: isSpecType.ResourceTemplate,
};

/**
 * The entries of a list that every client can read. One that is no entry would have clients refuse the whole list, with what all
 * other servers have in it.
 */
export function toSoundItems(kind: ListKind, listed: unknown): readonly Item[] {
  if (!Array.isArray(listed)) return [];
  return listed.filter((item: unknown): item is Item => isWithinDepth(item, MAX_DEPTH) && isOf[kind](item));
}

/** The revision 2026-07-28 reads the dialect of a schema. */
function isNamedSchema(schema: Item | undefined): boolean {
  return ['undefined', 'string'].includes(typeof schema?.['$schema']);
}

function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isWithinDepth(part, depth - 1));
}
