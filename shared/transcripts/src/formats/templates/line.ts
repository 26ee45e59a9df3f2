import { createTemplates } from './template.ts';

const KINDS = [
  ...[
    'Photo',
    'Sticker',
    'Video',
    'Voice message',
    'File',
    'Location',
    'Contact',
    'Keep',
    'Album',
    'Albums',
    'Note',
    'Notes',
  ],
  ...[
    '圖片',
    '照片',
    '貼圖',
    '影片',
    '語音訊息',
    '檔案',
    '位置訊息',
    '聯絡資訊',
    '相簿',
    '記事本',
    '写真',
    'スタンプ',
    '動画',
  ],
  ...['ボイスメッセージ', 'ファイル', '位置情報', '連絡先', 'アルバム', 'ノート', '사진', '스티커', '동영상', '파일'],
];
const CALLS = [
  ...[
    'Missed call',
    'Canceled call',
    'Call canceled',
    'No answer',
    'Call time {time}',
    'Call ended',
    '通話時間 {time}',
  ],
  ...[
    '通話時間{time}',
    '不在着信',
    'キャンセル',
    '通話をキャンセルしました',
    '応答なし',
    '未接來電',
    '已取消',
    '已取消通話',
  ],
  ...[
    '通話已取消',
    '取消的通話',
    '無人接聽',
    '無應答',
    '부재중 전화',
    '통화 시간 {time}',
    '취소된 통화',
    '未接来电',
    '已取消通话',
    '通话时间 {time}',
  ],
];

/** What LINE writes in place of a message, in somebody's name. */
export const findLineNotice = createTemplates({
  media: [...KINDS.map((kind) => `[${kind}]`), '圖片', '照片', '貼圖', '影片', '語音訊息'],
  'system message': [
    ...CALLS.flatMap((call) => [`☎ ${call}`, `☎${call}`]),
    ...[
      'joined the group.',
      'joined the chat.',
      'left the group.',
      'left the chat.',
      'joined the group',
      'joined the chat',
    ],
    ...['left the group', 'left the chat', 'invited {name} to the group.', 'invited {name} to the chat.'],
  ],
  'deleted message': [
    'unsent a message.',
    'unsent a message',
    '已收回訊息',
    '收回訊息',
    'メッセージの送信を取り消しました',
  ],
});

/** Lines below a time that tell of somebody: of nobody where that is one of the chat. */
export const LINE_MEMBERS: readonly RegExp[] = [
  /^(?<name>.{1,60}?)(?:加入聊天|加入群組|離開聊天|離開群組|退出群組|已收回訊息)$/u,
  /^(?<name>.{1,60}?)が(?:グループに)?(?:参加しました|退出しました|退会しました)。?$/u,
  /^(?<name>.{1,60}?)が(?:メッセージの送信を取り消しました|.{1,60}をグループに(?:追加|招待)しました)。?$/u,
  /^(?<name>.{1,60}?) (?:joined|left) the (?:group|chat)\.?$/u,
  /^(?<name>.{1,60}?) (?:unsent a message|invited .{1,60} to the (?:group|chat))\.?$/u,
];
