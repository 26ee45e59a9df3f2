import { createTemplates } from './template.ts';

/** Kinds of messages without words, as WeChat, QQ and their exporters name them. */
const KINDS = [
  ...[
    '图片',
    '照片',
    '语音',
    '语音消息',
    '语音通话',
    '视频',
    '视频通话',
    '视频号',
    '动画表情',
    'GIF表情',
    '表情',
    '表情包',
  ],
  ...[
    '商城表情',
    '位置',
    '位置共享',
    '共享位置',
    '文件',
    '链接',
    '分享',
    '名片',
    '红包',
    '红包封面',
    '微信红包',
    '转账',
    '小程序',
  ],
  ...[
    '聊天记录',
    '合并转发',
    '音乐',
    '音乐分享',
    '卡券',
    '群公告',
    '拍一拍',
    '戳一戳',
    '系统消息',
    '表情消息',
    '无文本内容',
  ],
  ...['image', 'photo', 'picture', 'voice', 'audio', 'video', 'sticker', 'emoji', 'file', 'location', 'link'],
  ...['image消息', 'video消息', 'audio消息', 'file消息'],
];
/** `[图片]`, `<image>`, `[图片: x.jpg]`, `[链接|标题](https://…)`, `![图片](http://…)`. */
const MEDIA = KINDS.flatMap((kind) => [
  ...[`[${kind}]`, `【${kind}】`, `<${kind}>`, `[${kind}: {file}]`, `[${kind}：{file}]`, `[${kind}:{file}]`],
  ...[`[${kind}|{title}]`, `[${kind}]({url})`, `![${kind}]({url})`, `[${kind}|{title}]({url})`],
  ...[`[${kind}({file})]`, `[${kind}({url})]`],
]);

/** The line that stands in place of a message without words. */
export const findChineseMedia = createTemplates({ media: MEDIA });

/** What WeChat and QQ write in place of a message; those of QQ without quotation marks are told by their sender alone. */
export const findChineseNotice = createTemplates({
  'deleted message': ['你撤回了一条消息', '对方撤回了一条消息', '"{name}"撤回了一条消息', '"{name}" 撤回了一条消息'],
  'system message': [
    ...['"{name}" 拍了拍我', '"{name}"拍了拍我', '我拍了拍 "{name}"', '我拍了拍"{name}"'],
    ...['"{name}" 拍了拍 "{name}"', '"{name}"拍了拍"{name}"', '"{name}" 拍了拍自己', '"{name}"拍了拍自己'],
    ...['"{name}"邀请"{name}"加入了群聊', '你邀请"{name}"加入了群聊', '"{name}"邀请你加入了群聊'],
    ...['"{name}"通过扫描"{name}"分享的二维码加入群聊', '"{name}"通过扫描你分享的二维码加入群聊'],
    ...['你通过扫描二维码加入群聊', '你将"{name}"移出了群聊', '你被"{name}"移出群聊', '"{name}"修改群名为"{title}"'],
    ...['你修改群名为"{title}"', '以上是打招呼的内容', '以上是打招呼的消息'],
    ...['你已添加了{name}，现在可以开始聊天了。', '你已添加了{name}，以上是打招呼的消息。'],
    '{name}开启了朋友验证，你还不是他（她）朋友。请先发送朋友验证请求，对方验证通过后，才能聊天。发送朋友验证',
    ...['对方已成功接收了你发送的离线文件"{file}"。', '对方已成功接收了您发送的离线文件"{file}"。'],
    ...['对方已成功接收了你发送的离线文件"{file}"({title})。', '对方已成功接收了您发送的离线文件"{file}"({title})。'],
    ...['成功接收了你发送的离线文件"{file}"', '对方接收了你发送的文件"{file}"'],
  ],
});
