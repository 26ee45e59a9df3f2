import { describe, expect, it } from '@jest/globals';
import { readAll, toLines } from '../support/reading.ts';

/** Two messages as WhatsApp writes them in different places, and when they were sent. */
const PLACES: Readonly<Record<string, readonly [string, string, string, string]>> = {
  'United States': [
    '12/5/23, 2:03 PM - Ann: hi',
    '2023-12-05T14:03',
    '12/6/23, 12:04 AM - Ben: ok',
    '2023-12-06T00:04',
  ],
  'United States, iOS': [
    ...(['[12/25/23, 2:03:22\u202fPM] Ann: hi', '2023-12-25T14:03'] as const),
    ...(['[12/26/23, 12:04:00\u202fAM] Ben: ok', '2023-12-26T00:04'] as const),
  ],
  India: ['25/12/23, 2:03 pm - Ann: hi', '2023-12-25T14:03', '26/12/23, 12:04 am - Ben: ok', '2023-12-26T00:04'],
  Spain: ['25/12/23 14:03 - Ann: hi', '2023-12-25T14:03', '26/12/23 0:04 - Ben: ok', '2023-12-26T00:04'],
  Mexico: [
    ...(['25/12/2023, 2:03 p.\u00a0m. - Ann: hi', '2023-12-25T14:03'] as const),
    ...(['26/12/2023, 12:04 a.\u00a0m. - Ben: ok', '2023-12-26T00:04'] as const),
  ],
  Brazil: ['25/12/2023 14:03 - Ann: hi', '2023-12-25T14:03', '26/12/2023 00:04 - Ben: ok', '2023-12-26T00:04'],
  Netherlands: ['25-12-2023 14:03 - Ann: hi', '2023-12-25T14:03', '26-12-2023 00:04 - Ben: ok', '2023-12-26T00:04'],
  Sweden: ['2023-12-25 14:03 - Ann: hi', '2023-12-25T14:03', '2023-12-26 00:04 - Ben: ok', '2023-12-26T00:04'],
  Canada: [
    '2023-12-25, 2:03 p.m. - Ann: hi',
    '2023-12-25T14:03',
    '2023-12-26, 12:04 a.m. - Ben: ok',
    '2023-12-26T00:04',
  ],
  Finland: ['25.12.2023 klo 14.03 - Ann: hi', '2023-12-25T14:03', '26.12.2023 klo 0.04 - Ben: ok', '2023-12-26T00:04'],
  Denmark: ['25.12.2023 kl. 14.03 - Ann: hi', '2023-12-25T14:03', '26.12.2023 kl. 00.04 - Ben: ok', '2023-12-26T00:04'],
  'Germany, iOS': [
    '[25.12.23, 14:03:22] Ann: hi',
    '2023-12-25T14:03',
    '[26.12.23, 00:04:00] Ben: ok',
    '2023-12-26T00:04',
  ],
  'older iOS': ['25/12/23, 14:03:22: Ann: hi', '2023-12-25T14:03', '26/12/23, 00:04:00: Ben: ok', '2023-12-26T00:04'],
  China: ['2023/12/25 下午2:03 - Ann: hi', '2023-12-25T14:03', '2023/12/26 凌晨12:04 - Ben: ok', '2023-12-26T00:04'],
  'China, iOS': [
    ...(['[2023/12/25 下午2:03:22] Ann: hi', '2023-12-25T14:03'] as const),
    ...(['[2023/12/26 上午12:04:00] Ben: ok', '2023-12-26T00:04'] as const),
  ],
  'China, in words': [
    ...(['2023年12月25日 14:03 - Ann: hi', '2023-12-25T14:03'] as const),
    ...(['2023年12月26日 00:04 - Ben: ok', '2023-12-26T00:04'] as const),
  ],
  Taiwan: ['2023/12/25 下午2:03 - Ann: hi', '2023-12-25T14:03', '2023/12/26 上午12:04 - Ben: ok', '2023-12-26T00:04'],
  'years of two digits first': [
    '23/12/25, 14:03 - Ann: hi',
    '2023-12-25T14:03',
    '23/12/26, 00:04 - Ben: ok',
    '2023-12-26T00:04',
  ],
  Japan: ['2023/12/25 14:03 - Ann: hi', '2023-12-25T14:03', '2023/12/26 0:04 - Ben: ok', '2023-12-26T00:04'],
  Korea: [
    ...(['2023. 12. 25. 오후 2:03 - Ann: hi', '2023-12-25T14:03'] as const),
    ...(['2023. 12. 26. 오전 12:04 - Ben: ok', '2023-12-26T00:04'] as const),
  ],
  'Korea, in words': [
    ...(['2023년 12월 25일 오후 2:03 - Ann: hi', '2023-12-25T14:03'] as const),
    ...(['2023년 12월 26일 오전 12:04 - Ben: ok', '2023-12-26T00:04'] as const),
  ],
  Egypt: ['٢٥/١٢/٢٠٢٣، ٢:٠٣ م - Ann: hi', '2023-12-25T14:03', '٢٦/١٢/٢٠٢٣، ١٢:٠٤ ص - Ben: ok', '2023-12-26T00:04'],
  Thailand: ['25/12/2566 14:03 - Ann: hi', '2023-12-25T14:03', '26/12/2566 00:04 - Ben: ok', '2023-12-26T00:04'],
};

describe('WhatsApp', () => {
  it.each(Object.entries(PLACES))('of %s tells days and times as they are meant there', (_place, [a, at, b, then]) => {
    const read = readAll(`${a}\n${b}`);
    expect(read.format).toBe('whatsapp');
    expect(toLines(read).map((line) => line.replace(/:\d{2}Z/u, ''))).toEqual([`${at} Ann: hi`, `${then} Ben: ok`]);
  });

  it.each([
    ['此消息已删除', { 'deleted message': 1 }],
    ['這則訊息已刪除', { 'deleted message': 1 }],
    ['Ce message a été supprimé', { 'deleted message': 1 }],
    ['Diese Nachricht wurde gelöscht.', { 'deleted message': 1 }],
    ['Mensagem apagada', { 'deleted message': 1 }],
    ['<Archivo omitido>', { media: 1 }],
    ['<省略多媒体文件>', { media: 1 }],
    ['IMG-20231225-WA0001.jpg （文件附件）', { media: 1 }],
    ['IMG-20231225-WA0001.jpg (arquivo anexado)', { media: 1 }],
    ['\u200eimage omise', { 'media or system message': 1 }],
  ])('leaves out %s', (words, leftOut) => {
    const read = readAll(`25/12/2023, 14:03 - Ann: ${words}\n25/12/2023, 14:04 - Ben: ok`);
    expect(toLines(read)).toEqual(['2023-12-25T14:04:00Z Ben: ok']);
    expect(read.leftOut).toEqual(leftOut);
  });

  it.each([
    '<This message was edited>',
    '<Diese Nachricht wurde bearbeitet.>',
    '<已编辑此消息>',
    '<Se editó este mensaje.>',
  ])('takes no mark of an edit (%s) for words', (mark) => {
    expect(toLines(readAll(`25/12/2023, 14:03 - Ann: tea \u200e${mark}\n25/12/2023, 14:04 - Ben: ok`))[0]).toBe(
      '2023-12-25T14:03:00Z Ann: tea',
    );
  });
});
