import { isDeepStrictEqual } from 'node:util';
import { ContextloomError } from '@contextloom/contracts';
import { parseJsonc } from '@contextloom/mcp-client';
import { applyEdits, type Edit, findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/**
 * The events that hooks are written for, and the command of each. Source: code.claude.com/docs/en/hooks and, for Codex, the schemas in
 * openai/codex, codex-rs/hooks/schema/generated (pre-compact, subagent-start); a client that knows no event of a name runs it never.
 */
export const hookEvents = {
  SessionStart: 'session-start',
  SessionEnd: 'session-end',
  PreCompact: 'pre-compact',
  SubagentStart: 'subagent-start',
} as const;
type HookEvent = keyof typeof hookEvents;

/** How long a client lets a hook run, in seconds: each returns long before. */
const TIMEOUT_S = 15;

/** Commands that this program wrote, wherever it lay at the time. */
const OWN = /contextloom(?:\.js)?["']? hook (?:session-(?:start|end)|pre-compact|subagent-start)\b/u;

type Group = Readonly<Record<string, unknown>>;

const handlersOf = (group: unknown): readonly unknown[] => {
  const handlers: unknown = Object(group)['hooks'];
  return Array.isArray(handlers) ? handlers : [];
};
const isOwn = (handler: unknown): boolean => OWN.test(String(Object(handler)['command'] ?? ''));

function groupsOf(text: string, event: string, file: string): readonly unknown[] {
  const hooks: unknown = Object(Object(parseJsonc(text, file))['hooks'])[event] ?? [];
  if (Array.isArray(hooks)) return hooks;
  throw new ContextloomError('invalid', `${file} has hooks.${event} in a form that cannot be changed here`);
}

/** Where the comma stands between two neighbours; what comments say does not count. */
function findComma(text: string, before: Node, after: Node): Edit {
  const from = before.offset + before.length;
  const gap = text.slice(from, after.offset).replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/gu, (one) => ' '.repeat(one.length));
  return { offset: from + gap.indexOf(','), length: 1, content: '' };
}

/** Takes out a value with its key and one comma. The library's own way takes comments around it along. */
function remove(text: string, path: readonly (string | number)[]): string {
  const tree = parseTree(text);
  const value = tree && findNodeAtLocation(tree, [...path]);
  const node = value?.parent?.type === 'property' ? value.parent : value;
  const siblings = node?.parent?.children;
  if (node === undefined || siblings === undefined) return text;
  const at = siblings.indexOf(node);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const comma = before !== undefined ? findComma(text, before, node) : after && findComma(text, node, after);
  const start = text.slice(0, node.offset).trimEnd().length;
  const end = node.offset + node.length;
  const own = { offset: start, length: end - start, content: '' };
  return applyEdits(text, comma === undefined ? [own] : [comma, own].sort((a, b) => a.offset - b.offset));
}

/** Takes out what is left of a list or an object that this program alone had filled. */
function removeEmpty(text: string, path: readonly string[]): string {
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, [...path]);
  return node?.children?.length === 0 ? remove(text, path) : text;
}

/** Takes this program's hooks out; those of others, comments and everything else stay. @throws ContextloomError `invalid` */
export function withoutHooks(text: string, file: string): string {
  let next = text;
  for (const event of Object.keys(hookEvents)) {
    const groups = groupsOf(next, event, file);
    for (let at = groups.length - 1; at >= 0; at -= 1) {
      const handlers = handlersOf(groups[at]);
      if (handlers.length > 0 && handlers.every(isOwn)) next = remove(next, ['hooks', event, at]);
      else {
        for (let one = handlers.length - 1; one >= 0; one -= 1) {
          if (isOwn(handlers[one])) next = remove(next, ['hooks', event, at, 'hooks', one]);
        }
      }
    }
    if (next !== text) next = removeEmpty(next, ['hooks', event]);
  }
  return next === text ? text : removeEmpty(next, ['hooks']);
}

/** Writes a value behind the last one of an object or a list, before its closing bracket: no other line is laid out again. */
function append(text: string, { offset, length, children = [] }: Node, written: unknown, key?: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /^[ \t]+(?=")/mu.exec(text)?.[0] ?? '  ';
  const outer = /^[ \t]*/u.exec(text.slice(text.lastIndexOf('\n', offset) + 1))?.[0] ?? '';
  const lines = `${key === undefined ? '' : `${JSON.stringify(key)}: `}${JSON.stringify(written, null, unit)}`;
  const block = lines.split('\n').map((line) => eol + outer + unit + line);
  const end = offset + length - 1;
  const last = children.at(-1);
  const inside = text.slice(0, end).trimEnd().length;
  const edits: Edit[] = [
    ...(last === undefined ? [] : [{ offset: last.offset + last.length, length: 0, content: ',' }]),
    { offset: inside, length: end - inside, content: `${block.join('')}${eol}${outer}` },
  ];
  return applyEdits(text, edits);
}

function addHook(text: string, event: HookEvent, group: Group, file: string): string {
  const tree = parseTree(text);
  const at = (...path: string[]): Node | undefined => tree && findNodeAtLocation(tree, path);
  const [list, hooks] = [at('hooks', event), at('hooks')];
  if (list !== undefined) return append(text, list, group);
  if (hooks?.type === 'object') return append(text, hooks, [group], event);
  if (hooks === undefined && tree?.type === 'object') return append(text, tree, { [event]: [group] }, 'hooks');
  throw new ContextloomError('invalid', `${file} has hooks in a form that cannot be changed here`, { field: 'hooks' });
}

/**
 * Writes this program's hooks into the settings of a client, once, in place of those of an earlier time.
 * @param toCommand the command line of a hook
 * @throws ContextloomError `invalid` for settings that are no JSON object, or whose hooks have another form
 */
export function withHooks(text: string | undefined, toCommand: (hook: string) => string, file: string): string {
  const before = text?.trim() ? text : '{}\n';
  const groups = Object.entries(hookEvents).map(([event, hook]) => {
    const handler = { type: 'command', command: toCommand(hook), timeout: TIMEOUT_S };
    return [event as HookEvent, { hooks: [handler] }] as const;
  });
  const isThere = ([event, group]: (typeof groups)[number]): boolean => {
    const own = groupsOf(before, event, file).flatMap((one) => handlersOf(one).filter(isOwn));
    return isDeepStrictEqual(own, group.hooks);
  };
  if (groups.every(isThere)) return before;
  let next = withoutHooks(before, file);
  for (const [event, group] of groups) next = addHook(next, event, group, file);
  parseJsonc(next, file);
  return next;
}
