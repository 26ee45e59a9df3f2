import type { JsonObject } from '@contextloom/contracts';
import type { ToolDefinition } from '../answers.ts';
import { isTitled, titles } from '../titles.ts';
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

/**
 * Reads TOOLS.md: `- name: description` under `## ` categories. A task's empty box, or `enabled: false` nested under it, turns
 * a tool off; `parameters: {…}` nested under it is its JSON Schema. Of a name that comes twice the first counts.
 */
export function parseToolDefinitions(text: string): readonly ToolDefinition[] {
  const tools = new Map<string, ToolDefinition>();
  for (const { title, body } of parseSections(text)) {
    let current: string | undefined;
    for (const line of body.split('\n')) {
      const [, box, item = ''] = topItem.exec(line) ?? [];
      const [name, description = ''] = toPair(item) ?? [item.trim()];
      if (name !== '' && name.length <= 100) {
        current = tools.has(name) ? undefined : name;
        if (current !== undefined) {
          tools.set(name, { name, description, parameters: {}, enabled: box !== ' ', category: title });
        }
        continue;
      }
      const tool = current === undefined ? undefined : tools.get(current);
      if (tool !== undefined) tools.set(tool.name, withNested(tool, line));
    }
  }
  return [...tools.values()];
}
