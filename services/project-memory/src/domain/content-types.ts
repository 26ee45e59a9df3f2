import { z } from 'zod';

/** What a memory is about: a label, and no border. What replaces what is decided across all five. */
export const contentTypes = ['requirement', 'plan', 'development', 'testing', 'insight'] as const;

/** One of {@link contentTypes}. */
export type ContentType = (typeof contentTypes)[number];

/** Reads a content type. */
export const contentTypeSchema = z
  .enum(contentTypes)
  .describe(
    'requirement: needs and limits; plan: schedule and milestones; development: design and code; testing: tests and checks; insight: lessons and decisions.',
  );
