import { printParseErrorCode, visit } from 'jsonc-parser';

const CLOSING = 'expected the closing bracket';
const COMMENT = 'comments are not JSON';
const ESCAPE = 'expected an escape that JSON has, such as \\n or \\u00e9';
const NUMBER = 'expected a whole number or a decimal';
const VALUE = 'expected double quotes, a number, true, false, null or a bracket';

const PROBLEMS: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: VALUE,
  InvalidNumberFormat: NUMBER,
  PropertyNameExpected: 'expected a key in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected ":"',
  CommaExpected: 'expected "," or the closing bracket',
  CloseBraceExpected: CLOSING,
  CloseBracketExpected: CLOSING,
  EndOfFileExpected: 'expected the end',
  InvalidCommentToken: COMMENT,
  UnexpectedEndOfComment: COMMENT,
  UnexpectedEndOfString: 'expected the closing quote on the same line',
  UnexpectedEndOfNumber: NUMBER,
  InvalidUnicode: ESCAPE,
  InvalidEscapeCharacter: ESCAPE,
  InvalidCharacter: 'expected control characters to be escaped',
  '<unknown ParseErrorCode>': VALUE,
};

/** Where a text stops being JSON. */
export interface JsonFault {
  /** Line, from 1; undefined when brackets nest too deeply to find it. */
  readonly line?: number;
  /** What is wrong there, in words. */
  readonly problem: string;
}

/** Finds where a text that `JSON.parse` refused stops being JSON: its own messages often leave the place out. */
export function findJsonFault(text: string): JsonFault | undefined {
  let fault: JsonFault | undefined;
  try {
    visit(
      text,
      {
        onError: (code, _offset, _length, line) =>
          (fault ??= { line: line + 1, problem: PROBLEMS[printParseErrorCode(code)] }),
      },
      { disallowComments: true },
    );
  } catch (error) {
    // The parser calls itself for each open bracket; some 10,000 of them exhaust the stack.
    if (!(error instanceof RangeError)) throw error;
    return fault ?? { problem: 'its brackets nest too deeply' };
  }
  return fault;
}
