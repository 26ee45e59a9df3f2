import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../../calls/operations.ts';
import { useServer } from '../../calls/session.tsx';
import { useUser } from '../../calls/user.tsx';
import { MEMORIES } from '../use-memories.ts';

/** A memory with all that its store says of it. */
export type WholeMemory = Answer<'get_memory'>;

/** Reads a memory whole: lists cut long texts. */
export function useWhole(id: string) {
  const { call } = useServer();
  const { user } = useUser();
  return useQuery({
    queryKey: [MEMORIES, user, 'whole', id],
    queryFn: ({ signal }) => call('get_memory', { user_id: user, id }, { signal }),
  });
}

/** A field of details that is an object; an empty one where it is not. */
export function toFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The texts of a field of details that is a list. */
export function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
