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
  'Egypt, with marks of direction': [
    ...(['\u200f٢٥\u200f/١٢\u200f/٢٠٢٣, ٢:٠٣ م - Ann: hi', '2023-12-25T14:03'] as const),
    ...(['\u200f٢٦\u200f/١٢\u200f/٢٠٢٣, ١٢:٠٤ ص - Ben: ok', '2023-12-26T00:04'] as const),
  ],
  Czechia: ['25. 12. 2023 14:03 - Ann: hi', '2023-12-25T14:03', '26. 12. 2023 0:04 - Ben: ok', '2023-12-26T00:04'],
  Croatia: ['25. 12. 2023. 14:03 - Ann: hi', '2023-12-25T14:03', '26. 12. 2023. 00:04 - Ben: ok', '2023-12-26T00:04'],
  Bulgaria: [
    ...(['25.12.23 г., 14:03 ч. - Ann: hi', '2023-12-25T14:03'] as const),
    ...(['26.12.23 г., 0:04 ч. - Ben: ok', '2023-12-26T00:04'] as const),
  ],
  Greece: ['5/12/23, 2:03 μ.μ. - Ann: hi', '2023-12-05T14:03', '6/12/23, 12:04 π.μ. - Ben: ok', '2023-12-06T00:04'],
  'India, in Hindi': [
    ...(['5/12/23, 2:03 अपराह्न - Ann: hi', '2023-12-05T14:03'] as const),
    ...(['6/12/23, 12:04 पूर्वाह्न - Ben: ok', '2023-12-06T00:04'] as const),
  ],
  'India, no day over 12': [
    ...(['5/12/23, 2:03 pm - Ann: hi', '2023-12-05T14:03', '5/12/23, 2:04 pm - Ben: ok', '2023-12-05T14:04'] as const),
  ],
  Malaysia: [
    '25/12/2023, 2:03 PTG - Ann: hi',
    '2023-12-25T14:03',
    '26/12/2023, 12:04 PG - Ben: ok',
    '2023-12-26T00:04',
  ],
  Vietnam: ['14:03, 25/12/2023 - Ann: hi', '2023-12-25T14:03', '00:04, 26/12/2023 - Ben: ok', '2023-12-26T00:04'],
  'older Android': [
    '14:03, 25 Dec 2023 - Ann: hi',
    '2023-12-25T14:03',
    '00:04, 26 Dec 2023 - Ben: ok',
    '2023-12-26T00:04',
  ],
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
    ['Je hebt dit bericht verwijderd', { 'deleted message': 1 }],
    ['Вы удалили данное сообщение', { 'deleted message': 1 }],
    ['Bu mesajı sildiniz', { 'deleted message': 1 }],
    ['Ta wiadomość została usunięta', { 'deleted message': 1 }],
    ['Du tog bort detta meddelande', { 'deleted message': 1 }],
    ['Pesan ini telah dihapus', { 'deleted message': 1 }],
    ['Tin nhắn này đã bị xóa', { 'deleted message': 1 }],
    ['تم حذف هذه الرسالة', { 'deleted message': 1 }],
    ['הודעה זו נמחקה', { 'deleted message': 1 }],
    ['यह मैसेज डिलीट कर दिया गया है', { 'deleted message': 1 }],
    ['メッセージを削除しました', { 'deleted message': 1 }],
    ['你删除了这条消息', { 'deleted message': 1 }],
    ['Llamada de voz perdida', { 'system message': 1 }],
    ['Chamada de voz perdida', { 'system message': 1 }],
    ['语音通话未接', { 'system message': 1 }],
    ['<Archivo omitido>', { media: 1 }],
    ['<省略多媒体文件>', { media: 1 }],
    ['IMG-20231225-WA0001.jpg （文件附件）', { media: 1 }],
    ['IMG-20231225-WA0001.jpg (arquivo anexado)', { media: 1 }],
    ['imagen omitida', { media: 1 }],
    ['Bild weggelassen', { media: 1 }],
    ['изображение отсутствует', { media: 1 }],
    ['画像は含まれていません', { media: 1 }],
    ['이미지 생략됨', { media: 1 }],
    ['report.pdf • 2 pages document omitted', { media: 1 }],
    ['Missed voice call', { 'system message': 1 }],
    ['Voice call, 3 min', { 'system message': 1 }],
    ['This message was deleted by admin Ben Lee.', { 'deleted message': 1 }],
    ['\u200eimage omise', { 'media or system message': 1 }],
  ])('leaves out %s', (words, leftOut) => {
    const read = readAll(`25/12/2023, 14:03 - Ann: ${words}\n25/12/2023, 14:04 - Ben: ok`);
    expect(toLines(read)).toEqual(['2023-12-25T14:04:00Z Ben: ok']);
    expect(read.leftOut).toEqual(leftOut);
  });

  it('changes no digits of names and words', () => {
    expect(toLines(readAll('٢٥/١٢/٢٠٢٣، ٢:٠٣ م - علي ٢: ٣ أيام\n٢٥/١٢/٢٠٢٣، ٢:٠٤ م - Ben: ok'))[0]).toBe(
      '2023-12-25T14:03:00Z علي ٢: ٣ أيام',
    );
  });

  it('leaves out a notice that has a colon in it', () => {
    const notice = 'Ann turned on disappearing messages. New messages will disappear: after 7 days.';
    expect(toLines(readAll(`25/12/2023, 14:03 - ${notice}\n25/12/2023, 14:04 - Ben: ok`))).toHaveLength(1);
  });

  it('is not what has names in brackets above the words', () => {
    const read = readAll('[2024-03-01 10:20:31] 小明\n你好\n\n[2024-03-01 10:21:31] 李四\n明天见');
    expect([read.format, ...toLines(read)]).toEqual([
      'wechat',
      '2024-03-01T10:20:31Z 小明: 你好',
      '2024-03-01T10:21:31Z 李四: 明天见',
    ]);
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
