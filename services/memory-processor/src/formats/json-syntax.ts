const SPACE = /[ \t\r\n]*/y;
const SCALAR =
  /"[^"\\\n\r\t\f\v]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\n\r\t\f\v]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Where a text stops being JSON. */
export interface JsonFault {
  /** Line, from 1. */
  readonly line: number;
  /** What should have stood there. */
  readonly expected: string;
}

type Expectation = 'a value' | 'a key in double quotes' | '":"' | '"," or the closing bracket' | 'the end';

/** Follows JSON's grammar over a text, one token at a time, until a token is not what the grammar allows. */
class Scanner {
  private readonly open: ('{' | '[')[] = [];
  private at = 0;
  private expects: Expectation = 'a value';
  private mayClose = false;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The first fault, or undefined when the whole text is JSON. */
  find(): { at: number; expected: string } | undefined {
    for (;;) {
      this.at = this.skip(SPACE) ?? this.at;
      if (this.at >= this.text.length)
        return this.expects === 'the end' ? undefined : { at: this.at, expected: this.expects };
      if (!this.step()) return { at: this.at, expected: this.expects };
    }
  }

  private skip(pattern: RegExp): number | undefined {
    pattern.lastIndex = this.at;
    return pattern.test(this.text) ? pattern.lastIndex : undefined;
  }

  private step(): boolean {
    const char = this.text[this.at] ?? '';
    const inside = this.open.at(-1);
    if ((char === '}' && inside === '{') || (char === ']' && inside === '[')) return this.close();
    if (this.expects === '":"') return char === ':' && this.advance(1, 'a value');
    if (this.expects === '"," or the closing bracket') {
      return char === ',' && this.advance(1, inside === '{' ? 'a key in double quotes' : 'a value');
    }
    if (this.expects === 'a key in double quotes') return char === '"' && this.scalar('":"');
    if (this.expects !== 'a value') return false;
    if (char !== '{' && char !== '[') return this.scalar(this.afterValue());
    this.open.push(char);
    this.advance(1, char === '{' ? 'a key in double quotes' : 'a value');
    this.mayClose = true;
    return true;
  }

  private advance(by: number, next: Expectation): boolean {
    this.at += by;
    this.expects = next;
    this.mayClose = false;
    return true;
  }

  private scalar(next: Expectation): boolean {
    const end = this.skip(SCALAR);
    return end !== undefined && this.advance(end - this.at, next);
  }

  private close(): boolean {
    if (!this.mayClose && this.expects !== '"," or the closing bracket') return false;
    this.open.pop();
    return this.advance(1, this.afterValue());
  }

  private afterValue(): Expectation {
    return this.open.length === 0 ? 'the end' : '"," or the closing bracket';
  }
}

/** Finds where a text that `JSON.parse` refused stops being JSON: its own messages often leave the place out. */
export function findJsonFault(text: string): JsonFault | undefined {
  const fault = new Scanner(text).find();
  if (fault === undefined) return undefined;
  return { line: text.slice(0, fault.at).split('\n').length, expected: fault.expected };
}
