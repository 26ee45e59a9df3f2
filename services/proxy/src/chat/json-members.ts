import { createScanner } from 'jsonc-parser';

/** A member of an object or a list, and where its value stands in the text. */
export interface JsonMember {
  /** Absent in a list. */
  readonly key?: string | undefined;
  readonly start: number;
  readonly end: number;
}

/**
 * The members of the object or list that begins at a place of a valid JSON text, in order. It reads tokens and builds nothing, so that a
 * text of any depth is read without recursion.
 */
export function* eachMember(text: string, at = 0): Generator<JsonMember> {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  scanner.scan();
  // The first character decides the kind of a token.
  const markOf = (): string => text.charAt(scanner.getTokenOffset());
  const isObject = markOf() === '{';
  let depth = 1;
  let key: string | undefined;
  let start: number | undefined;
  let end = at;
  while (depth > 0) {
    scanner.scan();
    const mark = markOf();
    if (mark === '') return;
    const isClosing = mark === '}' || mark === ']';
    if (depth === 1 && start !== undefined && (isClosing || mark === ',')) {
      yield { key, start, end };
      [key, start] = [undefined, undefined];
    }
    if (isClosing) depth -= 1;
    else if (depth === 1 && isObject && key === undefined && mark === '"') {
      key = scanner.getTokenValue();
      continue;
    } else if (start === undefined && mark !== ',' && mark !== ':') start = scanner.getTokenOffset();
    if (mark === '{' || mark === '[') depth += 1;
    end = scanner.getTokenOffset() + scanner.getTokenLength();
  }
}

/** The last member of a name, which is the one that readers of JSON take. */
export function findMember(text: string, name: string, at = 0): JsonMember | undefined {
  let found: JsonMember | undefined;
  for (const member of eachMember(text, at)) if (member.key === name) found = member;
  return found;
}
