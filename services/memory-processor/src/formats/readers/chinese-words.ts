const KINDS =
  '图片|照片|语音(?:通话|消息)?|视频(?:通话|号)?|动画表情|GIF表情|表情|表情包|商城表情|位置(?:共享)?|文件|链接|分享|名片|红包(?:封面)?|转账|小程序|聊天记录|合并转发|音乐(?:分享)?|卡券|群公告|拍一拍|戳一戳|image|photo|picture|voice|audio|video|sticker|emoji|file|location|link';
/** `[图片]`, `<image>`, `[链接|标题](https://…)`, `![图片](http://…)`. */
const MEDIA = new RegExp(
  String.raw`^\s*!?[[【<](?:${KINDS})(?:[:：|\s][^\]】>]{0,200})?[\]】>](?:\([^()\s]{0,1000}\))?\s*$`,
  'iu',
);
const NOTICE =
  /^(?:.{0,40}撤回了一条消息.{0,20}|.{0,40}拍了拍.{0,40}|.{0,60}(?:加入了?(?:本)?群(?:聊)?|退出了?(?:本)?群(?:聊)?|移出了?群聊|邀请.{1,40}加入).{0,20}|以上是打招呼的内容|你已添加了.{1,60}|.{0,40}(?:recalled a message|已成为好友).{0,20}|.{0,40}开启了(?:朋友验证|群聊邀请确认).{0,80}|(?:对方已)?(?:成功)?接收了?你发送的(?:离线)?文件.{0,120})$/u;
/** WeChat's quotation below a reply, as exporters write it: somebody else's words. */
const QUOTED = /\n引用[:：](?:未知|[^\n:：]{1,60}[:：][^\n]*)$/u;
/** The words that a reply answers, above the reply itself. */
const ANSWERED = /^(?:> [^\n]*\n)+(?=\S)|^\[回复[^\]\n]{0,200}\]\s*(?=\S)/u;

/** The words of a message of WeChat or QQ; pictures, voices and notices of the program have none. */
export function toChineseWords(text: string): { readonly text: string } | { readonly leftOut: string } {
  const own = text.replace(ANSWERED, '').replace(QUOTED, '').trim();
  if (own === '') return { leftOut: 'empty message' };
  if (own.split('\n').every((line) => line.trim() === '' || MEDIA.test(line))) return { leftOut: 'media' };
  return NOTICE.test(own) ? { leftOut: 'system message' } : { text: own };
}
