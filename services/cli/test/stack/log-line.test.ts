import { describe, expect, it } from '@jest/globals';
import { findCause, parseLogLine } from '../../src/stack/log-line.ts';

describe('a line that a service logs', () => {
  it.each([
    ['{"level":30,"msg":"listening"}', 'info: listening', false],
    ['{"level":40,"msg":"slow"}', 'warning: slow', true],
    ['{"level":60,"msg":"gone"}', 'fatal: gone', true],
    ['{"level":35,"msg":"own level"}', '35: own level', false],
    ['Error: plain text', 'Error: plain text', true],
    ['{"level":"high"}', '{"level":"high"}', true],
    ['\u001b[31mred\u0007', '\uFFFD[31mred\uFFFD', true],
  ])('%s reads as %s', (line, text, matters) => {
    expect(parseLogLine(line)).toEqual({ text, matters });
  });
});

describe('what a service wrote before it ended', () => {
  it('gives the last line that says what was wrong', () => {
    const lines = [
      '{"level":40,"msg":"slow"}',
      'file:///srv/server.js:3',
      'Error: a wire came loose',
      '    at main (file:///srv/server.js:3:9)',
      '',
      'Node.js v20.19.0',
      '{"level":30,"msg":"goodbye"}',
      '',
    ];
    expect(findCause(lines.join('\n'))).toBe('Error: a wire came loose');
  });

  it('gives nothing when there is none', () => {
    expect(findCause('')).toBeUndefined();
    expect(findCause('{"level":30,"msg":"goodbye"}\n')).toBeUndefined();
  });
});
