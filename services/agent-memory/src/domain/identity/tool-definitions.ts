import { ContextloomError, type JsonObject } from '@contextloom/contracts';
import type { ToolDefinition } from '@contextloom/contracts/agent-memory';
import { toNextLine } from '../grammar/parsed-entry.ts';
import { isTitled, titles } from '../model/titles.ts';
import { parseSections, toPair } from './sections.ts';

const topItem = /^ {0,1}[-*+][ \t]+(?:\[([ xX])\][ \t]+)?(.*)$/s;
const nestedItem = /^[ \t]{2,}[-*+][ \t]+(.*)$/s;

function toParameters(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function withNested(tool: ToolDefinition, line: string): ToolDefinition {
  const [key = '', value = ''] = toPair(nestedItem.exec(line)?.[1] ?? '') ?? [];
  if (isTitled(key, titles.enabled)) return { ...tool, enabled: !/^(?:false|no|off|否|关)/i.test(value) };
  const parameters = isTitled(key, titles.parameters) ? toParameters(value) : undefined;
  return parameters === undefined ? tool : { ...tool, parameters };
}

/** A tool, and where what says of it stands in its file. */
interface PlacedTool {
  readonly definition: ToolDefinition;
  /** Its own line. */
  readonly line: Place;
  /** The line nested under it that turns it on or off. */
  readonly enabledLine: Place | undefined;
}
interface Place {
  readonly start: number;
  readonly end: number;
}

/** The lines of the `## ` categories, with their places in the text. */
function* toPlacedLines(text: string): Generator<{ line: string; place: Place; category: string }> {
  for (const { title, start, end } of parseSections(text)) {
    for (let from = start; from < end; ) {
      const next = toNextLine(text, from);
      const line = text.slice(from, Math.min(next, end)).replace(/[\r\n]+$/, '');
      yield { line, place: { start: from, end: from + line.length }, category: title };
      from = next;
    }
  }
}

function parsePlacedTools(text: string): ReadonlyMap<string, PlacedTool> {
  const tools = new Map<string, PlacedTool>();
  let current: string | undefined;
  let category: string | undefined;
  for (const { line, place, category: here } of toPlacedLines(text)) {
    if (here !== category) current = undefined;
    category = here;
    const [, box, item = ''] = topItem.exec(line) ?? [];
    const [name, description = ''] = toPair(item) ?? [item.trim()];
    if (name !== '' && name.length <= 100) {
      current = tools.has(name) ? undefined : name;
      const definition = { name, description, parameters: {}, enabled: box !== ' ', category };
      if (current !== undefined) tools.set(name, { definition, line: place, enabledLine: undefined });
      continue;
    }
    const tool = current === undefined ? undefined : tools.get(current);
    if (tool === undefined) continue;
    const enabledLine = isEnabledLine(line) ? place : tool.enabledLine;
    tools.set(tool.definition.name, { ...tool, definition: withNested(tool.definition, line), enabledLine });
  }
  return tools;
}

const isEnabledLine = (line: string): boolean =>
  isTitled(toPair(nestedItem.exec(line)?.[1] ?? '')?.[0] ?? '', titles.enabled);

/**
 * Reads TOOLS.md: `- name: description` under `## ` categories. A task's empty box, or `enabled: false` nested under it, turns
 * a tool off; `parameters: {…}` nested under it is its JSON Schema. Of a name that comes twice the first counts.
 */
export function parseToolDefinitions(text: string): readonly ToolDefinition[] {
  return [...parsePlacedTools(text).values()].map(({ definition }) => definition);
}

/** Tells that TOOLS.md has no tool of a name. @throws ContextloomError `not_found` */
export function raiseUnknownTool(name: string, known: readonly ToolDefinition[]): never {
  const names = known.map((tool) => tool.name).slice(0, 20);
  const there = names.length === 0 ? 'it names none' : `there are: ${names.join(', ')}`;
  throw new ContextloomError('not_found', `TOOLS.md has no tool ${name}; ${there}`, { field: 'name' });
}

/**
 * Turns a tool of TOOLS.md on or off, in the line that says it or by a task's box; nothing else changes.
 * @throws ContextloomError `not_found`
 */
export function writeToolEnabled(text: string, name: string, enabled: boolean): string {
  const tool = parsePlacedTools(text).get(name);
  if (tool === undefined) return raiseUnknownTool(name, parseToolDefinitions(text));
  if (tool.definition.enabled === enabled) return text;
  const { start, end } = tool.enabledLine ?? tool.line;
  const line = text.slice(start, end);
  const written =
    tool.enabledLine === undefined
      ? line.replace(/^([ ]?[-*+][ \t]+)(?:\[[ xX]\][ \t]+)?/, `$1[${enabled ? 'x' : ' '}] `)
      : line.replace(/(：|:)([ \t]*).*$/su, `$1$2${enabled}`);
  return text.slice(0, start) + written + text.slice(end);
}
