import { ContextloomError } from '@contextloom/contracts';
import { z } from 'zod';

/** Longest key of a project, in bytes of UTF-8: a row of an index of Postgres has at most 2,704, and has the owner too. */
const MAX_KEY_BYTES = 1_500;

/** Reads the key that a project is stored under. */
export const projectKeySchema = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .refine((key) => Buffer.byteLength(key) <= MAX_KEY_BYTES, 'must be at most 1,500 bytes of UTF-8');

/** A project as a caller names it. */
export interface ProjectName {
  readonly project_key?: string | undefined;
  readonly project_name?: string | undefined;
  readonly project_path?: string | undefined;
}

/** What a call narrows the memory of an owner to. */
export interface Limits {
  /** Projects of these keys alone; all without them. */
  readonly projects?: readonly string[] | undefined;
  /** Aborted when nobody waits for what is read; changes are carried through all the same. */
  readonly signal?: AbortSignal | undefined;
}

/** Whose rows a call sees: one owner's, within limits. */
export interface Reach extends Limits {
  readonly ownerId: string;
}

/** What a search is narrowed to: projects of this key, or of this name where that is all that the caller knows. */
export interface ProjectFilter {
  readonly key: string;
  readonly isName: boolean;
}

/** The key that a project is stored under; undefined when none is named. */
export function toProjectKey({ project_key, project_name, project_path }: ProjectName): string | undefined {
  return (project_key ?? project_name ?? project_path)?.trim();
}

/**
 * The key that a memory is stored under.
 * @throws ContextloomError `invalid` when no project is named, or by a path alone that is too long for a key
 */
export function requireProjectKey(project: ProjectName): string {
  const key = toProjectKey(project);
  if (key === undefined || key === '') {
    const message = 'project_key is required, or project_name or project_path';
    throw new ContextloomError('invalid', message, { field: 'project_key' });
  }
  if (projectKeySchema.safeParse(key).success) return key;
  const message =
    'project_path is too long to be the key, which has at most 1,500 bytes: send project_key or project_name';
  throw new ContextloomError('invalid', message, { field: 'project_path' });
}

/** What a caller narrows a search to; undefined for all projects of the owner. */
export function toProjectFilter(project: ProjectName): ProjectFilter | undefined {
  const key = toProjectKey(project);
  return key === undefined ? undefined : { key, isName: project.project_key === undefined };
}
