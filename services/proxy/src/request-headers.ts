import { onlyReached, type Principal, requireReached } from '@contextloom/access';
import { parseInput, personaNameSchema, userIdSchema } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import { z } from 'zod';
import type { ChatMemory } from './memory.ts';

/** What the proxy serves with. */
export interface ProxyOptions {
  readonly memory: ChatMemory;
  /** The endpoint, up to and including `/v1`. */
  readonly providerUrl: string;
  /** In place of the caller's Authorization header, which is then a key of this proxy. */
  readonly providerKey?: string | undefined;
  /** Who speaks where a request does not say; memories alone without it. */
  readonly persona?: string | undefined;
  /** Whose memory it is where neither a request nor its key says. */
  readonly userId: string;
  readonly stores: boolean;
  /** Whether what is stable is marked for the caches of providers that read such marks. */
  readonly marks: boolean;
  readonly log: Log;
}

/** What a request says of itself in headers of this proxy. */
export interface RequestHeaders {
  readonly user: string | undefined;
  /** Undefined for memories without a persona. */
  readonly persona: string | undefined;
  readonly stores: boolean;
}

type Header = (name: string) => string | undefined;

/** Reads them. @throws ContextloomError `invalid`, naming the header */
export function readHeaders(header: Header, { persona: usual, stores }: ProxyOptions): RequestHeaders {
  const named = header('contextloom-persona');
  const persona = named === undefined ? usual : parseInput(personaNameSchema, named, ['contextloom-persona']);
  const choice = header('contextloom-store');
  const isStored = choice === undefined || parseInput(z.stringbool(), choice, ['contextloom-store']);
  return {
    user: header('contextloom-user'),
    persona: persona === 'none' ? undefined : persona,
    stores: stores && isStored,
  };
}

/**
 * The user of a request: the one it names, as far as its caller may speak for others, else the one that its key is for.
 * @throws ContextloomError `forbidden` for somebody else, `invalid` where the key is for several and none is named
 */
export function resolveUser(named: string | undefined, principal: Principal, usual: string): string {
  const only = onlyReached(principal.users);
  const user = parseInput(userIdSchema, named ?? only ?? (principal.users === 'all' ? usual : undefined), ['user']);
  requireReached(principal.users, user, 'user');
  return user;
}
