import type { ProjectWords } from '../language-data.ts';

/** What sentences about projects are known by. */
export const project: ProjectWords = {
  rules:
    '必ず|常に|決して|禁止|してはいけない|してはならない|しないでください|しないこと|すること|なければならない|以上|以下',
  strictRules: '必ず|決して|禁止|してはいけない|してはならない|しないでください|なければならない',
  commands: '必ず|決して|常に',
  polarity: '必ず|常に|決して|禁止',
  bounds: '以上|以下|最大|最小',
  decisions: '決定|決めた|に切り替え|に移行|を採用|ではなく|の代わりに',
  uses: '(?:今は|現在は)',
  causes: '原因は|問題は|教訓',
  tests: 'テスト(?:が)?(?:通|失敗)|回帰テスト',
  openEnds: '次のステップ|残作業|未実装|まだ(?:実装|完了)していない',
  closed: '完了した|実装した|修正した|マージした|解決した',
  replaced: 'の代わりに|ではなく',
  replacedEnds: 'を|に|、|。',
  replacedBefore: 'は廃止',
  generic: '今は|現在は|使う|使用|決めた',
  changes: '今は|に切り替え|に移行|もう',
  withdrawn: '不要になった|廃止|撤回',
  reasons: 'なぜなら|ため',
  joints: 'しかし|また|そして',
  tags: {
    stopWords: '',
    stopCharacters: '',
  },
  session: { request: '依頼：', outcome: '結果：' },
};
