import { typedMemory as contract } from '@contextloom/contracts/typed-memory';
import { defineOperation } from '@contextloom/server-kit';
import { toMemoryType } from '../domain/memory-type.ts';
import type { Remembered } from '../domain/remember.ts';
import { toKeyNotice } from '../domain/vault/vault.ts';
import { type TypedMemoryContext, toolRoute } from './deps.ts';

const NO_IDS = 'It chooses their words and types itself and gives no ids: memory_search finds them.';
const outcomes: Readonly<Record<Remembered['kind'], (type: string) => string>> = {
  added: (type) => `Remembered as ${type}.`,
  updated: (type) => `Remembered as ${type}, in place of what was known before.`,
  known: (type) => `Known already as ${type}; nothing was stored twice.`,
  processed: (type) => `Handed over as ${type}; the backend has made memories of it. ${NO_IDS}`,
  queued: (type) => `Handed over as ${type}; the backend makes memories of it later. ${NO_IDS}`,
};

function toMessage({ kind, type, suggested, keyMadeAt }: Remembered): string {
  const parts = [
    outcomes[kind](type),
    suggested === undefined ? '' : `It reads like ${suggested}; it was kept as given.`,
    keyMadeAt === undefined ? '' : toKeyNotice(keyMadeAt),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Stores one memory. */
export const memoryAdd = defineOperation({
  name: 'memory_add',
  title: 'Remember something',
  description:
    'Stores one piece of information about the user: facts, preferences, events, knowledge, steps, documents, secrets. Use it as soon as something is worth keeping; search first, so that nothing is stored twice.',
  effect: 'adds',
  hints: { isIdempotent: true },
  scope: 'user',
  ...contract.memory_add,
  example: {
    input: { user_id: 'ann', content: 'Allergic to peanuts', memory_type: 'core' },
    output: { success: true, message: 'Remembered as core.', memory_id: 'mem_1f0c', memory_type: 'core' },
  },
  route: toolRoute('memory_add'),
  run: async (
    { user_id, content, memory_type, context, said_by: trust, derived_from: derivedFrom, expires_at: expiresAt },
    { deps: { memory }, signal }: TypedMemoryContext,
  ) => {
    const type = memory_type === undefined ? undefined : toMemoryType(memory_type);
    const remembered = await memory.remember(user_id, {
      content,
      type,
      context,
      trust,
      derivedFrom,
      expiresAt,
      signal,
    });
    return {
      success: true as const,
      message: toMessage(remembered),
      memory_id: remembered.id,
      memory_type: remembered.type,
      suggested_type: remembered.suggested,
    };
  },
});
