import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseEntries } from '../../src/domain/grammar/entry-file.ts';
import { editPassage, parsePassages } from '../../src/domain/grammar/passages.ts';

const DAY = 'memory/2026-02-14.md';

const told = (path: string, text: string) =>
  parsePassages(path, text, parseEntries(path, text)).map(({ date, label, contentType, content }) => [
    date,
    label,
    contentType,
    content,
  ]);

const day = `# 2026-02-14 日志

今天下雨。

## 摘要
两个技术决定。

## 待办
- [ ] 给妈妈打电话
- 买 Zanzibar 咖啡
  要深烘的

## 记录条目

### 10:30 - 决策
<!-- id: 5f0c7d0a-4a7e-8c1b-a0de-0c1b2f3a4d5e -->
使用 React

### 理由
比较过三个框架。

\`\`\`ts
  const a = 1;
\`\`\`
`;

const memory = `Drinks no latte.

## Family
- Sister: Lin, born in Dalian
- Brother: Bo
### Pets
1. A cat called Miso

### 2026-02-14
[Important] No meetings before ten.

#### Why
She works at night.

## 2025-01-03
Moved to Leith.
`;

describe('what stands outside of entries', () => {
  it('of a daily log: paragraphs, lists item by item, code, and what a heading below an entry has', () => {
    expect(told(DAY, day)).toEqual([
      ['2026-02-14', undefined, 'manual', '今天下雨。'],
      ['2026-02-14', undefined, 'summary', '两个技术决定。'],
      ['2026-02-14', '待办', 'manual', '[ ] 给妈妈打电话'],
      ['2026-02-14', '待办', 'manual', '买 Zanzibar 咖啡\n要深烘的'],
      ['2026-02-14', '理由', 'manual', '比较过三个框架。'],
      ['2026-02-14', '理由', 'manual', '```ts\n  const a = 1;\n```'],
    ]);
  });

  it('of MEMORY.md: text and topics, without a date where no day is above', () => {
    expect(told('MEMORY.md', memory)).toEqual([
      ['', undefined, 'manual', 'Drinks no latte.'],
      ['', 'Family', 'manual', 'Sister: Lin, born in Dalian'],
      ['', 'Family', 'manual', 'Brother: Bo'],
      ['', 'Family › Pets', 'manual', 'A cat called Miso'],
      ['2025-01-03', undefined, 'manual', 'Moved to Leith.'],
    ]);
  });

  it('changes one passage, or takes it out, and nothing else', () => {
    const passages = parsePassages(DAY, day, parseEntries(DAY, day));
    const coffee = passages[3];
    if (coffee === undefined) throw new Error('there is no such passage');
    expect(editPassage(DAY, day, coffee, '买茶\n要龙井')).toBe(
      day.replace('买 Zanzibar 咖啡\n  要深烘的', '买茶\n  要龙井'),
    );
    expect(told(DAY, editPassage(DAY, day, coffee, undefined))).toEqual(told(DAY, day).toSpliced(3, 1));
    expect(() => editPassage(DAY, day, coffee, '买茶\n\n## 标题\n- 一\n- 二')).toThrow('edit the file');
  });

  it('is, with the entries, every word of a file', () => {
    const words = fc.stringMatching(/^[a-z]{3,8}$/);
    const line = fc.oneof(
      ...['', '- ', '* ', '1. ', '> ', '  ', '    ', '- [ ] ', '# ', '## ', '### ', '#### ', '### 10:30 - ', '| '].map(
        (sign) => words.map((word) => `${sign}${word}`),
      ),
      fc.constantFrom('', '```', '### 2026-02-14', '### 10:30 - 决策', '## 摘要', '[Important] yes'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom(DAY, 'MEMORY.md'), (lines, path) => {
        const text = lines.join('\n');
        const entries = parseEntries(path, text);
        const all = [...entries, ...parsePassages(path, text, entries)];
        const found = all.flatMap(({ label = '', content }) => `${label}\n${content}`).join('\n');
        // Headings are told with what stands under them; one with nothing under it says nothing yet.
        const said = lines.filter((one) => /^(?:[-*>|]|1\.|[a-z])/.test(one.trim()));
        for (const word of said.flatMap((one) => one.match(/[a-z]{3,8}/g) ?? [])) expect(found).toContain(word);
      }),
    );
  });
});
