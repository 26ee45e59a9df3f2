import type { FileWords } from '../language-data.ts';

/** What stands in the Markdown files of agent memory. */
export const files: FileWords = {
  titles: {
    role: '役割',
    personality: '性格',
    values: '価値観',
    behavior_rules: '行動の原則',
    basics: '基本情報',
    interests: '趣味',
    goals: '現在の目標',
    preferences: '好みと設定',
    name: '名前',
    age: '年齢',
    occupation: '職業',
    summary: '要約',
    entries: '記録',
    enabled: '有効',
    parameters: 'パラメーター',
    agreement: '大切な約束',
  },
  entryTypes: { conversation: '会話', decision: '決定', summary: '要約', manual: '手動' },
  skeletons: {
    spirit: '# エージェント\n\n## 役割\n\n## 性格\n\n## 価値観\n\n## 行動の原則\n',
    owner: '# 利用者\n\n## 基本情報\n- 名前: \n- 年齢: \n- 職業: \n\n## 趣味\n\n## 現在の目標\n\n## 好みと設定\n',
    tools: '# ツール\n\n## ファイル\n\n## ネットワーク\n\n## コード\n',
    longTerm: '# 長期記憶\n',
  },
  context: {
    persona: 'あなたについて',
    owner: 'あなたが仕える人',
    tools: 'ツール',
    daily: '最近の記録',
    long_term: '長期記憶',
    hits: '質問に関わる記憶',
  },
  empty:
    '作業フォルダーはまだ空です。init_identity でファイルを作り、update_identity でエージェントが誰で誰に仕えるかを書き、残す価値のあることを add_entry で書きます。',
  dailyLog: (date) => `# ${date} の記録\n\n## 記録\n`,
};
