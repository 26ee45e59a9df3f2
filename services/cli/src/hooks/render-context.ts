import { type BriefLine, toBriefText } from '@contextloom/retrieval/statements';
import { findBranch, findUnmerged } from './branches.ts';
import type { HookBrief } from './hook-folder.ts';
import type { Project } from './project.ts';

/** How much of an id is told. */
export const ID_LENGTH = 12;
/** Most tokens that a session begins with. */
const MAX_TOKENS = 400;

/** What says that a line was learnt on a branch, as it is shown and measured. */
export const toBranchMark = (branch: string): string => ` [branch ${branch}, not merged]`;

/** What a session's context is made of. */
export interface RenderOptions {
  readonly project: Project;
  /** The folder of the session, which may be a worktree. */
  readonly cwd: string;
}

/** The ids, as far as they are shown, of the memories that a text tells. */
export const toToldIds = ({ lines }: HookBrief, text: string): readonly string[] =>
  lines.flatMap(({ source }) => (source !== '' && text.includes(source) ? (source.split(' ').at(-1) ?? []) : []));

/** What a session begins with: what was learnt on a branch that is not merged is said to be so, but for that of the session itself. */
export async function renderContext({ lines, counts }: HookBrief, { project, cwd }: RenderOptions): Promise<string> {
  const branch = await findBranch(cwd);
  const isElsewhere = (line: HookBrief['lines'][number]): boolean =>
    line.branch !== undefined && line.branch.name !== branch;
  const unmerged = lines.some(isElsewhere) ? await findUnmerged(project.path) : undefined;
  const shown = lines.map((line): BriefLine => {
    const { branch: learnt, ends: _, ...rest } = line;
    if (learnt === undefined || !isElsewhere(line) || unmerged?.has(learnt.name) !== true) return rest;
    return { ...rest, text: rest.text + toBranchMark(learnt.name), tokens: rest.tokens + learnt.tokens };
  });
  return toBriefText({ project: project.name, lines: shown, counts }, MAX_TOKENS);
}
