import { identifier, MAX_CONTENT_LENGTH, userIdSchema } from '@contextloom/contracts';
import { z } from 'zod';
import { memoryKinds } from '../../domain/stores/memory-id.ts';

/** The user: hidden from a model whose server or key is for one. */
export const userField = { user_id: userIdSchema };

/** The project, where a call names one. */
export const projectField = { project: identifier('Also this project.').optional() };

/** Which memories are listed or searched. */
export const narrowingFields = {
  kind: z.enum(memoryKinds).optional(),
  tag: z.string().min(1).max(200).optional(),
  time_range: z.string().max(100).optional().describe('Such as last_week or 2026-03-01..2026-03-09.'),
};

/** The id of a memory. */
export const idField = { id: z.string().min(3).max(1_024).describe('As an answer gave it.') };

/** A text to remember. */
export const textField = {
  text: z
    .string()
    .max(MAX_CONTENT_LENGTH, `must be at most ${MAX_CONTENT_LENGTH} characters`)
    .refine((text) => text.trim() !== '', 'must not be empty'),
};

/** The stores that could not be asked. */
export const notAskedField = { not_asked: z.array(z.object({ store: z.string(), reason: z.string() })) };

/** A memory in answers. */
export const memoryFields = { id: z.string(), text: z.string(), store: z.string(), time: z.string().optional() };

/** Writes a memory's time, where it has one. */
export const toTimeField = (time: string | undefined): { readonly time?: string } =>
  time === undefined ? {} : { time };
