import { createHash } from 'node:crypto';

/** Longest name that the interfaces of language models take. Source: OpenAI and Anthropic tool definitions, `^[a-zA-Z0-9_-]{1,64}$`. */
const MAX_NAME_LENGTH = 64;
const FOREIGN = /[^a-zA-Z0-9_-]/g;
const HASH_LENGTH = 8;

/** How the names of one server become names that clients see. */
export interface NamespaceOptions {
  readonly server: string;
  /** Put in front of each name; `<server>__` unless it is named, empty for none. */
  readonly prefix?: string | undefined;
  /** Names in full, by the server's own. */
  readonly rename?: Readonly<Record<string, string>> | undefined;
}

/** Names of one server, both ways. */
export interface Namespace {
  readonly prefix: string;
  /** Names all that a server has, in its order. */
  readonly name: (own: readonly string[]) => readonly string[];
  /** Whether something of this server can have this name. */
  readonly mayName: (name: string) => boolean;
}

const toAllowed = (text: string): string => text.replace(FOREIGN, '_');

/** The same text gets the same ending at every start, so that a client's settings for a tool stay. */
function shorten(allowed: string, original: string): string {
  const ending = `_${createHash('sha256').update(original).digest('hex').slice(0, HASH_LENGTH)}`;
  return `${allowed.slice(0, MAX_NAME_LENGTH - ending.length)}${ending}`;
}

function toName(original: string): string {
  const allowed = toAllowed(original);
  return allowed.length <= MAX_NAME_LENGTH ? allowed : shorten(allowed, original);
}

/**
 * What stands for each server in the names of its tools. One whose name loses letters that models do not take ends with a hash
 * of it where nothing else is left, or another server would be called the same, such as 名前 and 言語.
 */
export function toServerIds(servers: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const allowed of servers.map(toAllowed)) counts.set(allowed, (counts.get(allowed) ?? 0) + 1);
  return new Map(
    servers.map((server) => {
      const allowed = toAllowed(server);
      const isUnclear = counts.get(allowed) !== 1 || /^_*$/u.test(allowed);
      return [server, allowed !== server && isUnclear ? shorten(allowed, server) : server];
    }),
  );
}

/**
 * Names tools and prompts of a server: a prefix, and a sign that models do not take becomes `_`. A name that is too long, or
 * that would become another one of the same server, ends with a hash of what it was.
 */
export function createNamespace({ server, prefix = `${server}__`, rename = {} }: NamespaceOptions): Namespace {
  const names = new Map(Object.entries(rename));
  const toFull = (own: string): string => names.get(own) ?? `${prefix}${own}`;
  const renamed = new Set(names.values());
  const start = toAllowed(prefix).slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1); // A name that was shortened has no more of it.
  return {
    prefix: toAllowed(prefix),
    mayName: (name) => renamed.has(name) || name.startsWith(start),
    name: (own) => {
      const named = own.map((name) => ({ full: toFull(name), shown: toName(toFull(name)) }));
      const counts = new Map<string, number>();
      for (const { shown } of named) counts.set(shown, (counts.get(shown) ?? 0) + 1);
      return named.map(({ full, shown }) => (counts.get(shown) !== 1 && shown !== full ? shorten(shown, full) : shown));
    },
  };
}
