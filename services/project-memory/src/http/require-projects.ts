import { type Principal, requireReached } from '@contextloom/access';
import { type ProjectName, toProjectKey } from '../domain/project.ts';

/** Refuses a project that the caller names and does not reach. @throws ContextloomError `forbidden` */
export function requireProjects({ projects }: Principal, named: ProjectName): void {
  const key = toProjectKey(named);
  if (key !== undefined) requireReached(projects, key, 'project_key');
}
