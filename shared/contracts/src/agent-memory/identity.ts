import { z } from 'zod';

/** Text in a file of the workspace, that goes on one line. */
const lineSchema = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .regex(/^[^\r\n\0]*$/, 'must be one line');
/** Items of a list. */
const linesSchema = z.array(lineSchema).max(200);
/** Text of a section: a heading in it would begin another one. */
const sectionTextSchema = z
  .string()
  .max(10_000)
  .transform((text) => text.replace(/\r\n?/g, '\n').trim())
  .refine(
    (text) => !/^ {0,3}(?:#{1,2}(?:\s|$)|```|~~~|=+\s*$|-+\s*$)|<!--|\0/m.test(text),
    'must have no headings, fences or comments',
  );

/** What may be written of SPIRIT.md, the whole or a part. */
export const spiritPatchSchema = z
  .object({
    role: sectionTextSchema.describe('What the agent is for.'),
    personality: sectionTextSchema.describe('What it is like; text or a Markdown list.'),
    values: linesSchema,
    behavior_rules: linesSchema,
  })
  .partial();
/** What may be written of SPIRIT.md. */
export type SpiritPatch = z.output<typeof spiritPatchSchema>;

const noColon = (key: string) => !/[：:]/u.test(key);
const preferenceSchema = z.union([lineSchema, z.number(), z.boolean()]);

/** What may be written of OWNER.md, the whole or a part. */
export const ownerPatchSchema = z
  .object({
    name: lineSchema.max(100),
    age: z.number().int().min(0).max(150),
    occupation: lineSchema.max(200),
    interests: linesSchema,
    goals: linesSchema,
    preferences: z
      .record(lineSchema.refine(noColon, 'must have no colon'), preferenceSchema)
      .describe('A preference by its text (true), or a key with its value.'),
  })
  .partial();
/** What may be written of OWNER.md. */
export type OwnerPatch = z.output<typeof ownerPatchSchema>;
