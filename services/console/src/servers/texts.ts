const en = {
  calls: 'Newest calls',
  failed: 'Failed',
  half: 'Half within',
  most: '95 of 100 within',
  jobs: 'Jobs',
  'jobs.queued': '{count} queued',
  'jobs.running': '{count} running',
  'jobs.failed': '{count} failed, tried again',
  'jobs.dead': '{count} dead',
  'jobs.cancelled': '{count} cancelled',
  'jobs.done': '{count} done',
  ms: '{ms} ms',
  restart: 'Restart',
  restartNamed: 'Restart {server}',
  restarted: '{server} runs again.',
  stillAway: '{server} does not answer: {reason}',
  measured:
    'Calls since this server started, 200 of each at most; how long they took, the start of a server not counted.',
} as const;

const zh: Readonly<Record<keyof typeof en, string>> = {
  calls: '最近调用',
  failed: '失败',
  half: '半数耗时不超过',
  most: '95% 耗时不超过',
  jobs: '任务',
  'jobs.queued': '{count} 个排队',
  'jobs.running': '{count} 个进行中',
  'jobs.failed': '{count} 个失败，将重试',
  'jobs.dead': '{count} 个已放弃',
  'jobs.cancelled': '{count} 个已取消',
  'jobs.done': '{count} 个完成',
  ms: '{ms} 毫秒',
  restart: '重启',
  restartNamed: '重启 {server}',
  restarted: '{server} 已重新运行。',
  stillAway: '{server} 没有应答：{reason}',
  measured: '本服务启动以来的调用，每个最多 200 次；耗时不含服务启动。',
};

const ja: Readonly<Record<keyof typeof en, string>> = {
  calls: '最近の呼び出し',
  failed: '失敗',
  half: '半数はこの時間以内',
  most: '95% はこの時間以内',
  jobs: 'ジョブ',
  'jobs.queued': '待機 {count} 件',
  'jobs.running': '実行中 {count} 件',
  'jobs.failed': '失敗 {count} 件（再試行します）',
  'jobs.dead': '断念 {count} 件',
  'jobs.cancelled': '中止 {count} 件',
  'jobs.done': '完了 {count} 件',
  ms: '{ms} ミリ秒',
  restart: '再起動',
  restartNamed: '{server} を再起動',
  restarted: '{server} が再び動いています。',
  stillAway: '{server} が応答しません：{reason}',
  measured: 'このサーバーの起動以降の呼び出し（それぞれ最大 200 件）。時間にサーバーの起動は含みません。',
};

/** What the page of the servers says besides the texts that other pages share. */
export const serverTexts = { en, zh, ja };
