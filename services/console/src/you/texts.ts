const en = {
  page: 'This page',
  zone: 'Days and hours are shown in the time zone {zone}.',
  take: 'Take everything along',
  takeText: 'All that is remembered, to read and to keep.',
  markdown: 'As text (Markdown)',
  html: 'As a page (HTML)',
  zip: 'Everything (ZIP)',
  taken: '{count} memories are downloaded.',
  archived: 'The archive is downloaded.',
  partly: 'Not in it: {what}',
  more: 'More',
  bring: 'Bring in conversations from other programs, or paste one',
  changed: 'What changed, and who decided it',
  forget: 'Forget everything',
  forgetText: 'Erases all that is remembered, for good. You see first how much there is.',
  forgetAsk: 'Whoever runs this for you can erase everything, for good.',
  title: 'What is remembered of {user}',
} as const;

const zh: Readonly<Record<keyof typeof en, string>> = {
  page: '此页面',
  zone: '日期和时间按时区 {zone} 显示。',
  take: '全部带走',
  takeText: '所有记忆，可阅读，可保存。',
  markdown: '文本（Markdown）',
  html: '网页（HTML）',
  zip: '全部（ZIP）',
  taken: '已下载 {count} 条记忆。',
  archived: '归档已下载。',
  partly: '未包含：{what}',
  more: '更多',
  bring: '从其他程序导入对话，或粘贴一段',
  changed: '哪些内容变了，由谁判定',
  forget: '全部遗忘',
  forgetText: '永久删除全部记忆。会先显示有多少。',
  forgetAsk: '为你运行此服务的人可以永久删除全部内容。',
  title: '关于 {user} 的记忆',
};

/** What the room about oneself says. */
export const youTexts = { en, zh };
