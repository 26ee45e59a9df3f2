import { isDeepStrictEqual } from 'node:util';
import { parseJsonc } from '@contextloom/mcp-client';
import { type HookClientSpec, hookEvents } from '../hooks/clients.ts';
import type { McpClient } from './clients.ts';
import { ownCommandsOf, ownEntryOf, withHooks, withoutHooks } from './hook-entries.ts';
import { removeEmpty, removeValue } from './remove-value.ts';
import { parseToml, removeTomlEntry } from './toml-entry.ts';
import type { WrittenPart } from './undo.ts';
import { SERVER_NAME, toClientText } from './write-client.ts';

/** Reads the settings of a client. @throws ContextloomError `invalid` for a text that is not of its format */
export function parseSettings(text: string, { format }: Pick<McpClient, 'format'>, file: string): object {
  // Cloned, since the library's tables have no prototype.
  if (format === 'toml') return structuredClone(parseToml(text, file));
  return Object(text.trim() === '' ? {} : parseJsonc(text, file));
}

const withoutSpace = (text: string): string => text.replace(/\s/gu, '');

/** The server in the configuration of a client. */
export function toServerPart(client: McpClient, file: string): WrittenPart {
  const { section, format } = client;
  const read = (text: string): unknown => Object(Reflect.get(parseSettings(text, client, file), section))[SERVER_NAME];
  return {
    isIn: (text) => read(text) !== undefined,
    redo: (text, before) => toClientText(before, Object(read(text)), { client, file }),
    strip: (text) =>
      format === 'toml'
        ? removeTomlEntry(text, { file, section, name: SERVER_NAME })
        : removeEmpty(removeValue(text, [section, SERVER_NAME]), [section]),
    isBare: (text) => withoutSpace(text) === (format === 'toml' ? '' : '{}'),
  };
}

/** What `init` writes for the server besides the program, its arguments and its settings is the client's own form. */
const SETTINGS = ['TIMEZONE', 'EMBEDDING_PROVIDER'];
const FLAGS = ['--profile', '--user'];

/** What somebody else wrote into the entry of the server, by name; undefined where there is no entry. */
export function findForeign(text: string, client: McpClient, file: string): readonly string[] | undefined {
  const entry: unknown = Object(Reflect.get(parseSettings(text, client, file), client.section))[SERVER_NAME];
  if (entry === undefined) return undefined;
  const { command, args, env = {} } = client.toLaunch?.(Object(entry)) ?? Object(entry);
  const words: readonly unknown[] = Array.isArray(args) ? args : [];
  const serve = words.indexOf('serve');
  const isOurs =
    words.slice(0, serve).some((word) => /(?:^|[\\/])contextloom(?:\.js)?$/u.test(String(word))) &&
    words.slice(serve + 1).every((word, at) => at % 2 === 1 || FLAGS.includes(String(word)));
  const form = client.toEntry({ command, args: args ?? [], env });
  const keys = [...new Set([...Object.keys(Object(entry)), ...Object.keys(form)])].filter(
    (key) => !['env', 'environment'].includes(key),
  );
  return [
    ...(isOurs ? [] : ['args']),
    ...keys.filter((key) => !isDeepStrictEqual(Object(entry)[key], form[key])),
    ...Object.keys(Object(env)).flatMap((name) => (SETTINGS.includes(name) ? [] : [`env.${name}`])),
  ];
}

/** The hooks in the file of a client. */
export function toHooksPart(spec: HookClientSpec, file: string): WrittenPart {
  const isAt = (text: string, name: string): boolean => ownCommandsOf(text, name, file).length > 0;
  const isIn = (text: string): boolean =>
    text.trim() !== '' && Object.values(spec.events).some((name) => isAt(text, name));
  return {
    isIn,
    redo: (text, before) => {
      const known = hookEvents.flatMap((event) => {
        const name = spec.events[event];
        return name !== undefined && isAt(text, name) ? [[event, name] as const] : [];
      });
      const form = { base: spec.base, events: Object.fromEntries(known) };
      return withHooks(before, { form, toEntry: (event) => ownEntryOf(text, spec.events[event] ?? event, file) }, file);
    },
    strip: (text) => withoutHooks(text, spec, file),
    isBare: (text) => ['', '{}', JSON.stringify(spec.base)].includes(withoutSpace(text)),
  };
}
