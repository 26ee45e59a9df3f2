const en = {
  intro:
    'The newest calls over HTTP, as they come: who called what, about whom, and how it ended. What was said is not in it.',
  own: 'This key sees its own calls.',
  time: 'Time',
  who: 'Caller',
  operation: 'Operation',
  subjects: 'About',
  outcome: 'Result',
  user: 'About the user',
  any: 'any',
  ok: 'ok',
  failed: 'failed',
  pause: 'Pause',
  resume: 'Go on',
  none: 'No call matches.',
  count: '{count} calls',
} as const;

const zh: Readonly<Record<keyof typeof en, string>> = {
  intro: '最新的 HTTP 调用，随到随显：谁调用了什么、关于谁、结果如何。不含所说的内容。',
  own: '此密钥只看到自己的调用。',
  time: '时间',
  who: '调用者',
  operation: '操作',
  subjects: '关于',
  outcome: '结果',
  user: '关于用户',
  any: '任意',
  ok: '成功',
  failed: '失败',
  pause: '暂停',
  resume: '继续',
  none: '没有符合的调用。',
  count: '{count} 次调用',
};

const ja: Readonly<Record<keyof typeof en, string>> = {
  intro:
    '最新の HTTP 呼び出しを届いた順に示します。誰が何を、誰について呼び、どう終わったか。話された内容は含みません。',
  own: 'このキーには自分の呼び出しだけが見えます。',
  time: '時刻',
  who: '呼び出し元',
  operation: '操作',
  subjects: '対象',
  outcome: '結果',
  user: '対象のユーザー',
  any: '指定なし',
  ok: '成功',
  failed: '失敗',
  pause: '一時停止',
  resume: '再開',
  none: '該当する呼び出しはありません。',
  count: '{count} 件の呼び出し',
};

/** What the page of the activity says. */
export const activityTexts = { en, zh, ja };
