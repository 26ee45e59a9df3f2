import { describe, expect, it } from '@jest/globals';
import { toSpiritText } from '../../src/domain/spirit.ts';
import { parseFrontMatter } from '../../src/store/folder-persona-store.ts';

const spirit = `# AI 人格设定

## 角色定位
港口的引航员

## 性格特征
- 沉稳
* 爱听人讲完

## 价值观
- 诚实

## 行为准则
- 不懂就说不懂
`;

const render = (text: string, language: 'zh' | 'en' = 'zh') =>
  toSpiritText(parseFrontMatter({ path: 'x/SPIRIT.md', text }), language);

describe('a SPIRIT.md', () => {
  it('is rendered without its title and otherwise word for word', () => {
    expect(render(spirit)).toBe(spirit.replace('# AI 人格设定\n\n', ''));
  });

  it('keeps sections of its own and the text before the first section', () => {
    const text = render(`# 标题\n先读这一句。\n\n## 角色定位\n店主\n\n## 口头禅\n- 不急\n`);
    expect(text).toBe('先读这一句。\n\n## 角色定位\n店主\n\n## 口头禅\n- 不急\n');
  });

  it('lets the front matter override a section in its place', () => {
    const text = render(`---\nrole: 守塔人\nvalues: [守信, "话少"]\n---\n${spirit}`);
    expect(text).toContain('## 角色定位\n\n守塔人\n\n## 性格特征\n- 沉稳');
    expect(text).toContain('## 价值观\n\n- 守信\n- 话少\n\n## 行为准则');
    expect(text).not.toContain('引航员');
  });

  it('puts the known sections first, in their order, wherever they come from', () => {
    const text = render('---\nvalues: [守信]\n---\n## 口头禅\n- 不急\n\n## 性格特征\n- 话少\n\n## 角色定位\n鞋匠\n');
    expect(text).toBe('## 角色定位\n鞋匠\n\n## 性格特征\n- 话少\n\n## 价值观\n\n- 守信\n\n## 口头禅\n- 不急\n');
  });

  it('may consist of front matter alone', () => {
    const text = render('---\nrole: A lighthouse keeper\npersonality:\n  - patient\n---\n', 'en');
    expect(text).toBe('## Role\n\nA lighthouse keeper\n\n## Personality\n\n- patient\n');
  });

  it('knows its sections by English titles too', () => {
    const text = render('---\nbehavior_rules: Ask first.\n---\n## Role\nPilot\n\n## Behaviour  Rules\n- old\n', 'en');
    expect(text).toBe('## Role\nPilot\n\n## Behavior rules\n\nAsk first.\n');
  });

  it('keeps CRLF inside its sections', () => {
    expect(render('# t\r\n\r\n## 角色定位\r\n店主\r\n第二行\r\n')).toBe('## 角色定位\r\n店主\r\n第二行\n');
  });

  it.each(['只是一句话', '- 一\n- 二'])(
    'takes a rule at the top for text when no mapping stands below it (%j)',
    (words) => {
      expect(render(`---\n${words}\n---\n## 角色定位\n店主\n`)).toBe(`---\n${words}\n---\n\n## 角色定位\n店主\n`);
    },
  );

  it('without a role is refused by a line that names the file and the section', () => {
    expect(() => render('# t\n\n## 价值观\n- 诚实\n')).toThrow('x/SPIRIT.md needs a section "## 角色定位"');
    expect(() => render('## 角色定位\n\n## 价值观\n- 诚实\n')).toThrow('needs a section');
  });

  it('with front matter that is not YAML is refused by a line that names the file', () => {
    expect(() => render('---\nrole: [a\n---\n## 角色定位\n店主\n')).toThrow(
      'x/SPIRIT.md front matter is not valid YAML',
    );
  });

  it.each([
    ['a nesting that no stack has room for', `---\nrole: ${'['.repeat(20_000)}\n---\n`, 'is nested too deeply'],
    ['lists in lists on one line', `---\n${'- '.repeat(20_000)}x\n---\n`, 'is nested too deeply'],
    ['more text than anybody writes', `---\nrole: ${'x'.repeat(60_000)}\n---\n`, 'is over 50000 characters'],
    [
      'aliases that multiply',
      `---\na: &a [x, x]\n${Array.from({ length: 30 }, (_unused, at) => `b${at}: &b${at} [*${at === 0 ? 'a' : `b${at - 1}`}, *a]`).join('\n')}\nrole: *b29\n---\n`,
      'is not valid YAML',
    ],
  ])('with %s in its front matter is refused by a line that names the file', (_name, text, problem) => {
    expect(() => render(text)).toThrow(`x/SPIRIT.md front matter ${problem}`);
  });

  it('with a field of a wrong kind is refused by a line that names the field', () => {
    expect(() => render('---\nvalues: {a: 1}\n---\n## 角色定位\n店主\n')).toThrow(
      'x/SPIRIT.md front matter.values must be a text or a list of texts',
    );
  });
});
