import type { Reader, Sample } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';
import { toChineseWords } from './chinese-words.ts';
import { createHeadReader, findHeadStyle } from './wechat-text.ts';

const OBJECT = /^消息对象[:：]\s*(?<name>.+)$/u;
const RULE = /^\s*={6,}\s*$/u;
const ABOVE = /^(?:消息记录（.*）|消息记录\(.*\)|消息分组[:：].*|\s*={6,}\s*)$/u;

const hasMarks = ({ lines }: Sample): boolean =>
  lines.some((line) => line.length < 200 && (OBJECT.test(line) || /^消息记录[（(]/u.test(line)));

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
    const readLine = (line: string): HeadedLine | undefined => {
      const name = line.length < 200 ? OBJECT.exec(line)?.groups?.['name'] : undefined;
      if (name !== undefined) return { kind: 'conversation', title: name.trim() };
      if (line.length < 200 && (ABOVE.test(line) || RULE.test(line))) return { kind: 'nothing' };
      return readHead(line);
    };
    return createHeadedLineSink({ readLine, toWords: toChineseWords }, out);
  },
};
