import type { Reader, Sample } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';
import { toChineseWords } from './chinese-words.ts';
import { createHeadReader, findHeadStyle } from './wechat-text.ts';

const OBJECT = /^消息对象[:：]\s*(?<name>.+)$/u;
/** The rules between the lines of the head are 64 signs long. */
const RULE = /^={40,80}$/u;
const ABOVE = /^消息记录[（(].*[）)]$/u;
const GROUP = /^消息分组[:：]/u;

const hasMarks = ({ lines }: Sample): boolean =>
  lines.some(
    (line, at) =>
      line.length < 200 && (/^消息记录[（(]/u.test(line) || (OBJECT.test(line) && RULE.test(lines[at - 1] ?? ''))),
  );

/** The text that QQ exports: its message manager's file of one or many conversations. */
export const qq: Reader = {
  name: 'qq',
  title: 'QQ chat',
  detect: (sample) => {
    const style = findHeadStyle(sample.lines);
    return (style?.form === 'timeFirst' || style?.form === 'underDayFirst') && (style.hasIds || hasMarks(sample));
  },
  read: (out, { sample }) => {
    const style = findHeadStyle(sample.lines);
    const readHead = style === undefined ? () => undefined : createHeadReader({ ...style, isSpaced: false });
    let isBegun = false;
    let isBelowRule = false;
    const readLine = (line: string): HeadedLine | undefined => {
      // Lines of the head stand next to rules, or above everything; elsewhere somebody wrote them.
      const isHead = !isBegun || isBelowRule;
      isBelowRule = RULE.test(line);
      if (isBelowRule) return { kind: 'nothing' };
      const name = isHead && line.length < 200 ? OBJECT.exec(line)?.groups?.['name'] : undefined;
      if (name !== undefined) return { kind: 'conversation', title: name.trim() };
      if (isHead && line.length < 200 && (ABOVE.test(line) || GROUP.test(line))) return { kind: 'nothing' };
      const head = readHead(line);
      isBegun ||= head !== undefined;
      return head;
    };
    return createHeadedLineSink({ readLine, toWords: toChineseWords }, out);
  },
};
