const HEADING = '[补充记忆上下文]';
const INTRODUCTION = '关于这位用户，请参考以下你之前的记忆：';
const SEPARATOR = '\n\n---\n\n';
const CONTINUATION = '\n  ';

/** Every character that some reader takes for the end of a line: a memory must not leave its list item through one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Python and others end a line at U+001C to U+001E
const LINE_BREAK = /\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/u;

function toListItem(memory: string): string {
  return `- ${memory.split(LINE_BREAK).join(CONTINUATION)}`;
}

/** Turns memories into the section that precedes the persona prompt, ending with a newline; blank memories are skipped, none left gives "". */
export function toMemorySection(memories: readonly string[]): string {
  const items = memories.filter((memory) => memory.trim() !== '').map(toListItem);
  if (items.length === 0) return '';
  return `${[HEADING, INTRODUCTION, ...items].join('\n')}\n`;
}

/** Puts the memory section before the persona prompt, which stays as it came, byte for byte. */
export function toPrompt(personaPrompt: string, memories: readonly string[]): string {
  const section = toMemorySection(memories);
  return section === '' ? personaPrompt : `${section}${SEPARATOR}${personaPrompt}`;
}
