const en = {
  list: 'All users',
  find: 'Find a user',
  records: 'Records',
  lastCall: 'Last asked about',
  export: 'Export',
  exportNamed: 'Export {user}',
  exporting: 'Reading {server}',
  exported: 'The archive of {user} is downloaded. {missed}',
  whole: 'It is whole.',
  missed: 'Not in it: {what}',
  insecure:
    'A browser makes checksums on https or on this machine alone. "contextloom export" writes the archive in other places.',
  more: '{count} more: narrow the search',
  size: 'Size of all users: ',
  allUsers: 'of all users together',
} as const;

const zh: Readonly<Record<keyof typeof en, string>> = {
  list: '所有用户',
  find: '查找用户',
  records: '记录',
  lastCall: '最近一次相关调用',
  export: '导出',
  exportNamed: '导出 {user}',
  exporting: '正在读取 {server}',
  exported: '{user} 的归档已下载。{missed}',
  whole: '内容完整。',
  missed: '未包含：{what}',
  insecure: '浏览器只在 https 或本机上计算校验和。其他情况请用“contextloom export”写归档。',
  more: '还有 {count} 个：请缩小搜索范围',
  size: '所有用户合计：',
  allUsers: '所有用户合计',
};

const ja: Readonly<Record<keyof typeof en, string>> = {
  list: 'すべてのユーザー',
  find: 'ユーザーを探す',
  records: '記録',
  lastCall: '最後の呼び出し',
  export: '書き出す',
  exportNamed: '{user} を書き出す',
  exporting: '{server} を読んでいます',
  exported: '{user} のアーカイブをダウンロードしました。{missed}',
  whole: 'すべて揃っています。',
  missed: '含まれないもの：{what}',
  insecure:
    'ブラウザーがチェックサムを計算できるのは https かこのマシン上だけです。ほかの場所では「contextloom export」でアーカイブを書いてください。',
  more: 'ほかに {count} 人：検索を絞ってください',
  size: 'すべてのユーザーの大きさ：',
  allUsers: 'すべてのユーザーの合計',
};

/** What the page of the users says besides the texts that other pages share. */
export const userTexts = { en, zh, ja };
