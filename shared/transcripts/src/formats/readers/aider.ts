import { fromIso } from '../json/json-values.ts';
import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { isAiderCommand } from '../templates/programs.ts';

const BEGIN = /^# aider chat started at (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})\s*$/u;
const HEAD = '#### ';
/** aider ends its own lines so, and an answer hardly ever a heading or a quotation. */
const OWN_END = '  ';
/** Commands that ask the assistant something: the words are the user's. */
const ASKING = /^\/(?:ask|code|architect|context)\s+/u;

type Part = 'user' | 'assistant' | 'program';

function createSession(out: Out) {
  let time: Pick<FoundTurn, 'at' | 'wall'> = {};
  let part: Part = 'program';
  let lines: string[] = [];
  let at = '';
  let hasAsked = false;
  const close = () => {
    const text = lines.join('\n').trim();
    lines = [];
    if (text === '') return;
    const words = part === 'user' ? text.replace(ASKING, '') : text;
    const isLeftOut = part === 'program' || words === '<blank>' || (part === 'user' && isAiderCommand(words));
    if (isLeftOut) return out.leftOut('line of the program', at, text);
    out.turn({ role: part === 'user' ? 'user' : 'assistant', text: words, ...time });
  };
  const push = (words: string, number: number): void => {
    if (lines.length === 0) at = `line ${number}`;
    lines.push(words);
  };
  const turnTo = (next: Part): void => {
    if (part !== next) close();
    part = next;
  };
  return {
    close,
    begin: (stamp: string): void => {
      close();
      [part, hasAsked, time] = ['program', false, fromIso(stamp)];
      out.conversation({ id: `aider-${stamp.replace(/\D/gu, '')}`, title: `aider ${stamp}` });
    },
    ask: (words: string, number: number): void => {
      turnTo('user');
      hasAsked = true;
      push(words, number);
    },
    note: (words: string, number: number): void => {
      turnTo('program');
      push(words, number);
    },
    /** A line without a mark answers, or goes on with what the program says until an empty one. */
    line: (words: string, number: number) => {
      if (part === 'program' && words === '') return close();
      const goesOn = part === 'program' && (lines.length > 0 || !hasAsked);
      if (!goesOn) turnTo('assistant');
      push(words, number);
    },
  };
}

function createAiderSink(sample: string, out: Out): Sink {
  // An editor may have cut the blanks off.
  const hasOwnEnds = sample.split('\n').some((line) => line.startsWith(HEAD) && line.trimEnd() + OWN_END === line);
  const { begin, ask, note, line: goOn, close } = createSession(out);
  return createLineSink((text, number) => {
    const line = number === 1 ? text.replace(/^\uFEFF/u, '') : text;
    const stamp = BEGIN.exec(line)?.[1];
    const isOwn = !hasOwnEnds || line.endsWith(OWN_END);
    if (stamp !== undefined) begin(stamp);
    else if (isOwn && (line.startsWith(HEAD) || line.trimEnd() === HEAD.trim()))
      ask(line.slice(HEAD.length).trimEnd(), number);
    else if (isOwn && line.startsWith('>')) note(line.slice(1).trim(), number);
    else goOn(line.trimEnd(), number);
  }, close);
}

/** The history of aider: `.aider.chat.history.md`. What is said has the time at which aider was started. */
export const aider: Reader = {
  name: 'aider',
  title: 'aider chat history',
  detect: ({ lines }) => lines.some((line) => BEGIN.test(line)),
  read: (out, { sample }) => createAiderSink(sample.text.replaceAll('\r', ''), out),
};
