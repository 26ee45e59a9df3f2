import type { Principal } from '@contextloom/access';
import { ContextloomError } from '@contextloom/contracts';
import { dateSchema } from '@contextloom/contracts/agent-memory';
import { type Changes, defineResource, type Resource } from '@contextloom/server-kit';
import { z } from 'zod';
import {
  fromDailyFile,
  LONG_TERM_FILE,
  OWNER_FILE,
  SPIRIT_FILE,
  TOOLS_FILE,
  toDailyFile,
} from './domain/model/files.ts';
import type { FileEvents } from './domain/ports/memory-ports.ts';
import { type AgentMemoryDeps, toDeps } from './operations/deps.ts';
import { namedUser, type WorkspacesDeps } from './operations/of-users.ts';

const ROOT = 'agent-memory://workspace/';
const USERS_ROOT = 'agent-memory://users/';
/** Days that are listed; the template reads every other one. */
const LISTED_DAYS = 31;

/** The address of a file as a resource. */
export function toUri(path: string): string {
  return `${ROOT}${path}`;
}

/** Tells the subscribers of resources of files that changed. */
export function toFileEvents(changes: Changes): FileEvents {
  return {
    onChanged: (path) => changes.resourceUpdated(toUri(path)),
    onListChanged: () => changes.resourcesChanged(),
  };
}

/** The same where each user has a workspace. */
export function toFileEventsOf(changes: Changes, userId: string): FileEvents {
  const root = `${USERS_ROOT}${encodeURIComponent(userId)}/`;
  return {
    onChanged: (path) => changes.resourceUpdated(`${root}${path}`),
    onListChanged: () => undefined, // A list has no user's own files in it.
  };
}

async function read(path: string, { memoryFor }: AgentMemoryDeps, principal: Principal): Promise<{ text: string }> {
  const text = await memoryFor(principal).readFile(path, 'owner');
  if (text === undefined) throw new ContextloomError('not_found', `there is no ${path}`, { field: 'uri' });
  return { text };
}

/** Nobody else's client lists, reads or watches them. */
const isFor = (principal: Principal, deps: AgentMemoryDeps): boolean => deps.isFor(principal);

const files: readonly (readonly [path: string, title: string, description: string])[] = [
  [SPIRIT_FILE, 'Who the agent is', 'Role, personality, values and rules of the agent.'],
  [OWNER_FILE, 'Whom it serves', 'The owner: basics, interests, goals, preferences.'],
  [TOOLS_FILE, 'Its tools', 'What the agent can use.'],
  [LONG_TERM_FILE, 'Long-term memory', 'What is remembered for good, of the owner alone.'],
];

/** The files of the workspace as resources. */
export const resources: readonly Resource<AgentMemoryDeps>[] = [
  ...files.map(([path, title, description]) =>
    defineResource({
      uri: toUri(path),
      name: path,
      title,
      description,
      mimeType: 'text/markdown',
      variables: z.object({}),
      isFor,
      read: (_variables, deps: AgentMemoryDeps, { principal }) => read(path, deps, principal),
    }),
  ),
  defineResource({
    uri: `${ROOT}memory/{date}.md`,
    name: 'daily-log',
    title: 'Daily log',
    description: 'The log of a day, such as 2026-02-14.',
    mimeType: 'text/markdown',
    variables: z.object({ date: dateSchema }),
    isFor,
    list: async (_bound, { memoryFor }: AgentMemoryDeps, { principal }) => {
      const dates = (await memoryFor(principal).listFiles()).flatMap((path) => fromDailyFile(path) ?? []);
      const newest = dates.sort().reverse().slice(0, LISTED_DAYS);
      return newest.map((date) => ({ variables: { date }, name: toDailyFile(date) }));
    },
    read: ({ date }, deps: AgentMemoryDeps, { principal }) => read(toDailyFile(date), deps, principal),
  }),
];

/** A file of a workspace as that of each user. */
export function toResourceOfUsers(resource: Resource<AgentMemoryDeps>): Resource<WorkspacesDeps> {
  const { uri, name, title, description, mimeType, variables } = resource;
  return defineResource({
    uri: `${USERS_ROOT}{user_id}/${uri.slice(ROOT.length)}`,
    name,
    title,
    description,
    mimeType,
    variables: variables.safeExtend(namedUser),
    read: ({ user_id: userId, ...rest }, { workspaces }: WorkspacesDeps, call) =>
      workspaces.using(String(userId), 'reads', (owned) => resource.read(rest, toDeps(owned), call)),
  });
}
