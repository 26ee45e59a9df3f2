import { isDeepStrictEqual } from 'node:util';
import { ContextloomError } from '@contextloom/contracts';
import { parseJsonc } from '@contextloom/mcp-client';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { appendValue } from '../composition/append-value.ts';
import type { HookClientSpec, HookEvent } from '../hooks/clients.ts';
import { readPluginLines, toPluginText } from './opencode-plugin.ts';
import { removeEmpty, removeValue } from './remove-value.ts';

/** What of a client tells the form of its file. */
export type HookForm = Pick<HookClientSpec, 'events' | 'base'>;

/** Commands that this program wrote, wherever it lay at the time. */
const OWN = /contextloom(?:\.js)?["']? hook (?:session-(?:start|end)|pre-compact|subagent-start|user-prompt)\b/u;
/** The keys under which clients keep the command line of a hook. */
const COMMAND_KEYS = ['command', 'bash', 'powershell'];

/** The handlers of an entry: those of a group, or the entry itself. */
const handlersOf = (entry: unknown): readonly unknown[] => {
  const handlers: unknown = Object(entry)['hooks'];
  return Array.isArray(handlers) ? handlers : [entry];
};

/** The command line of a hook that this program wrote; undefined for one of others. */
export function readOwnCommand(handler: unknown): string | undefined {
  const lines = COMMAND_KEYS.map((key) => String(Object(handler)[key] ?? ''));
  return lines.find((line) => OWN.test(line));
}
const isOwn = (handler: unknown): boolean => readOwnCommand(handler) !== undefined;

/** Whether hooks stand in a program of their own, and not in settings. */
const isPlugin = (file: string): boolean => file.endsWith('.js');

/** The entries of an event in a file of hooks. @throws ContextloomError `invalid` for a file that is none */
export function entriesOf(text: string, event: string, file: string): readonly unknown[] {
  if (isPlugin(file)) {
    const command = readPluginLines(text, file)[event];
    return command === undefined ? [] : [{ command }];
  }
  const hooks: unknown = Object(Object(parseJsonc(text, file))['hooks'])[event] ?? [];
  if (Array.isArray(hooks)) return hooks;
  throw new ContextloomError('invalid', `${file} has hooks.${event} in a form that cannot be changed here`);
}

/** The command lines of this program at an event. */
export function ownCommandsOf(text: string, event: string, file: string): readonly string[] {
  return entriesOf(text, event, file)
    .flatMap(handlersOf)
    .flatMap((handler) => readOwnCommand(handler) ?? []);
}

/** The entry of an event that holds this program's hooks alone; an empty one where there is none. */
export function ownEntryOf(text: string, event: string, file: string): object {
  return Object(entriesOf(text, event, file).find((entry) => handlersOf(entry).every(isOwn)) ?? {});
}

/** Takes this program's hooks out; those of others, comments and everything else stay. @throws ContextloomError `invalid` */
export function withoutHooks(text: string, { events }: HookForm, file: string): string {
  if (isPlugin(file)) return Object.keys(readPluginLines(text, file)).length > 0 ? '' : text;
  let next = text;
  for (const event of Object.values(events)) {
    const entries = entriesOf(next, event, file);
    for (let at = entries.length - 1; at >= 0; at -= 1) {
      const handlers = handlersOf(entries[at]);
      if (handlers.length > 0 && handlers.every(isOwn)) next = removeValue(next, ['hooks', event, at]);
      else {
        for (let one = handlers.length - 1; one >= 0; one -= 1) {
          if (isOwn(handlers[one])) next = removeValue(next, ['hooks', event, at, 'hooks', one]);
        }
      }
    }
    if (next !== text) next = removeEmpty(next, ['hooks', event]);
  }
  return next === text ? text : removeEmpty(next, ['hooks']);
}

function addHook(text: string, event: string, entry: object, file: string): string {
  const tree = parseTree(text);
  const at = (...path: string[]): Node | undefined => tree && findNodeAtLocation(tree, path);
  const [list, hooks] = [at('hooks', event), at('hooks')];
  if (list !== undefined) return appendValue(text, list, entry);
  if (hooks?.type === 'object') return appendValue(text, hooks, [entry], event);
  if (hooks === undefined && tree?.type === 'object') return appendValue(text, tree, { [event]: [entry] }, 'hooks');
  throw new ContextloomError('invalid', `${file} has hooks in a form that cannot be changed here`, { field: 'hooks' });
}

/**
 * Writes this program's hooks into the file of a client, once, in place of those of an earlier time.
 * @param toEntry what stands in the list of an event; undefined for one that gets no hook
 * @throws ContextloomError `invalid` for a file that is no JSON object, or whose hooks have another form
 */
export function withHooks(
  text: string | undefined,
  { form, toEntry }: { readonly form: HookForm; readonly toEntry: (event: HookEvent) => object | undefined },
  file: string,
): string {
  if (isPlugin(file)) {
    readPluginLines(text ?? '', file);
    const lines = Object.entries(form.events).flatMap(([event, name]) => {
      const entry = toEntry(event as HookEvent);
      return entry === undefined ? [] : [[name, Object(entry).command]];
    });
    return toPluginText(Object.fromEntries(lines));
  }
  const before = text?.trim() ? text : `${JSON.stringify(form.base, null, 2)}\n`;
  const wanted = Object.entries(form.events).map(([event, name]) => [name, toEntry(event as HookEvent)] as const);
  const isThere = ([name, entry]: (typeof wanted)[number]): boolean => {
    const own = entriesOf(before, name, file).flatMap((one) => handlersOf(one).filter(isOwn));
    return isDeepStrictEqual(own, entry === undefined ? [] : handlersOf(entry));
  };
  if (wanted.every(isThere)) return before;
  let next = withoutHooks(before, form, file);
  for (const [name, entry] of wanted) if (entry !== undefined) next = addHook(next, name, entry, file);
  parseJsonc(next, file);
  return next;
}
