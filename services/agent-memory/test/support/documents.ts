import { isWellFormed } from '@contextloom/contracts';
import fc from 'fast-check';

/** Lines that Markdown reads in many ways. */
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '用户决定使用 React',
      'Ann drinks green tea.',
      '- a list item',
      '  indented',
      '最终选择 SQLite',
    ),
  },
  fc.constantFrom('', '  ', '\t', '## Notes', '### Not an entry', '#### Sub', '# Top', '---', '===', '> quoted', '***'),
  fc.constantFrom(
    '```',
    '````',
    '~~~',
    '```ts',
    '<!-- a remark -->',
    '<!-- open',
    '-->',
    '<div>',
    '[重要约定] 不喝拿铁',
    '[x] done',
  ),
  fc.constantFrom('### 10:30 - 决策', '### 14:00 - 对话', '### 9:05:07 - Decision', '### 23:59', '### 08:00 - 会议'),
  fc.constantFrom('## 摘要', '## 记录条目', '## Entries', '### 2026-02-14', '### 2026-02-30', '<!-- id: nonsense -->'),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[\0\uFEFF\r\n]/g, '')),
);

/** A file as a person might leave it, with any line ends and with or without a mark of byte order and front matter. */
export const document: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(line, { maxLength: 14 }),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.constantFrom('', '\uFEFF'),
    fc.constantFrom('', '---\ntitle: x\n---\n'),
    fc.boolean(),
  )
  .map(
    ([lines, end, mark, front, isEnded]) =>
      mark + (front + lines.join('\n') + (isEnded ? '\n' : '')).replaceAll('\n', end),
  )
  .filter((text) => isWellFormed(text));

/** A text as a tool may be given it. */
export const content: fc.Arbitrary<string> = fc
  .oneof(
    fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n')),
    fc.string({ minLength: 1, maxLength: 40 }),
  )
  .map((text) => text.replace(/\r\n?/g, '\n').replace(/[\0\uFEFF]/g, ''))
  .filter((text) => text.trim() !== '' && isWellFormed(text));
