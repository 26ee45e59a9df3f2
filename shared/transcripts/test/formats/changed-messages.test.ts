import { describe, expect, it } from '@jest/globals';
import { readAll, toLines } from '../support/reading.ts';

const AT = 1_709_629_200_000;
const toWords = (text: string, file = '') => {
  const read = readAll(text, { file });
  return {
    said: toLines(read).map((line) => line.replace(/^\S+ /u, '')),
    leftOut: read.leftOut,
    words: read.leftOutWords,
  };
};

describe('messages that were changed or deleted', () => {
  it('of signal-cli: an edit takes the place of what it edits, in its own chat, and a deletion removes it', () => {
    const envelope = (source: string, timestamp: number, more: object) =>
      JSON.stringify({ envelope: { source, sourceNumber: source, sourceName: source, timestamp, ...more } });
    const { said, leftOut, words } = toWords(
      [
        envelope('+1', AT, { dataMessage: { timestamp: AT, message: 'See you at nine' } }),
        envelope('+2', AT, { dataMessage: { timestamp: AT, message: 'at the same moment' } }),
        envelope('+1', AT + 1, { dataMessage: { timestamp: AT + 1, message: 'a secret' } }),
        envelope('+1', AT + 2, {
          editMessage: { targetSentTimestamp: AT, dataMessage: { timestamp: AT + 2, message: 'See you at ten' } },
        }),
        envelope('+1', AT + 3, { dataMessage: { timestamp: AT + 3, remoteDelete: { timestamp: AT + 1 } } }),
        envelope('+1', AT + 4, { dataMessage: { timestamp: AT + 4, remoteDelete: { timestamp: 5 } } }),
        envelope('+1', AT + 5, {
          editMessage: {
            targetSentTimestamp: 7,
            dataMessage: { timestamp: AT + 5, message: 'an edit without the first' },
          },
        }),
      ].join('\n'),
    );
    expect(said).toEqual(['+1: See you at ten', '+1: an edit without the first', '+2: at the same moment']);
    expect(leftOut).toEqual({
      'earlier version of a message': 1,
      'deleted message': 1,
      'deletion of a message that is not there': 1,
    });
    expect(words).toEqual(['See you at nine', 'a secret', '']);
  });

  it('of Slack: lines of changes, as companies export them', () => {
    const message = (ts: string, more: object) => ({ type: 'message', user: 'U1', ts, ...more });
    const { said, leftOut } = toWords(
      JSON.stringify([
        message('1709629200.000100', { text: 'See you at nine' }),
        message('1709629201.000100', { text: 'a secret' }),
        message('1709629202.000100', {
          subtype: 'message_changed',
          message: { ts: '1709629200.000100', text: 'See you at ten' },
        }),
        message('1709629203.000100', { subtype: 'message_deleted', deleted_ts: '1709629201.000100' }),
        message('1709629204.000100', { text: 'ok' }),
      ]),
      'export/general/2024-03-05.json',
    );
    expect(said).toEqual(['U1: See you at ten', 'U1: ok']);
    expect(leftOut).toEqual({ 'earlier version of a message': 1, 'deleted message': 1 });
  });
});
