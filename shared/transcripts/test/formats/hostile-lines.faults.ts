import { toRounds } from '@contextloom/testing/rounds';
import { describe, expect, it } from '@jest/globals';
import { FORMAT_SAMPLES } from '../support/format-samples.ts';
import { HOSTILE_LINES, HOSTILE_NAMES } from '../support/hostile-lines.ts';
import { type Reading, readAll } from '../support/reading.ts';

const WORDS = 'hello tea';

const toMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const inLiteral = (text: string): string => toMarkup(text).replaceAll('\\', '\\\\').replaceAll("'", "\\'");

const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  'gemini-html': toMarkup,
  'telegram-html': toMarkup,
  'messenger-html': toMarkup,
  evernote: toMarkup,
  subtitles: toMarkup,
  'sms-backup': toMarkup,
  'wechat-html': inLiteral,
  skype: toMarkup,
  slack: (text) => toMarkup(text).replaceAll('&quot;', '"'),
};

/** A text of a format in which somebody says something else. */
function saying(text: string, format: string, words: string): string {
  const encoded = (ENCODINGS[format] ?? String)(words);
  if (/^\s*[[{]"?/u.test(text) && text.includes('"'))
    return text.replace(WORDS, () => JSON.stringify(encoded).slice(1, -1));
  if (text.includes(`"${WORDS}"`) && format.endsWith('csv'))
    return text.replace(WORDS, () => words.replaceAll('"', '""'));
  if (format.endsWith('csv')) return text.replace(WORDS, () => `"${words.replaceAll('"', '""')}"`);
  return text.replace(WORDS, () => encoded);
}

/** Everything that is read, with who says it: a name before a colon may be taken for a speaker. */
const toSpoken = ({ conversations }: Reading): string =>
  conversations
    .flatMap(({ sessions }) => sessions.flatMap(({ turns }) => turns.map(({ speaker, text }) => `${speaker}: ${text}`)))
    .join('\n');

/** In a short run each format is tried with some of the lines, and each line with some of the formats. */
const EACH = toRounds(8, 1);

describe.each(FORMAT_SAMPLES.map((sample, at) => [sample.format, sample, at] as const))('%s', (format, sample, at) => {
  const read = (words: string): Reading =>
    readAll(saying(sample.text, format, words), sample.file === undefined ? {} : { file: sample.file });

  it('leaves no words of people out, whatever they look like', () => {
    const lines = HOSTILE_LINES.filter((_, index) => index % EACH === at % EACH);
    // With `!` aider runs a command of the shell.
    const isMarked = (line: string): boolean => format === 'aider' && line.startsWith('!');
    const lost = lines.filter((line) => {
      if (isMarked(line)) return !read(line).leftOutWords.includes(line);
      const reading = read(line);
      return reading.format !== format || !toSpoken(reading).includes(line);
    });
    expect(lost).toEqual([]);
  });
});

describe('names that look like sentences of a program', () => {
  it.each(HOSTILE_NAMES)('%s says what is said', (name) => {
    const chats = [
      `25/03/2024, 09:00 - ${name}: ${WORDS}\n25/03/2024, 09:01 - Ben: ok`,
      `[25/03/2024, 09:00:00] ${name}: ${WORDS}\n[25/03/2024, 09:01:00] Ben: ok`,
      `2024-03-01 10:20:31 ${name}\n${WORDS}\n\n2024-03-01 10:21:31 Ben\nok`,
      `[LINE] Chat\nSaved on: 3/6/2024\n\n2024/03/05(Tue)\n09:00\t${name}\t${WORDS}\n09:01\tBen\tok`,
      `May 17, 2022  5:29:42 PM\n${name}\n${WORDS}\n\nMay 17, 2022  5:30:42 PM\nBen\nok\n`,
      JSON.stringify({
        messages: [{ sender_name: name, timestamp_ms: 1_709_629_200_000, content: WORDS }],
        thread_path: 'inbox/1',
      }),
    ];
    for (const chat of chats) expect(toSpoken(readAll(chat))).toContain(WORDS);
  });
});
