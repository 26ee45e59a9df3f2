const en = {
  title: 'What would be told about you',
  text: 'Ask something: you see what an assistant would be told of you before it answers, and where each line comes from.',
  question: 'Your question',
  persona: 'Who answers',
  look: 'Look',
  told: 'It would be told',
  nothing: 'Nothing about you fits this question.',
  wrong: 'This should not be here',
  missing: 'Something is missing?',
  core: 'always told',
  recall: 'found for this question',
  left: '{count} more were looked at and left out',
} as const;

const zh: Readonly<Record<keyof typeof en, string>> = {
  title: '会告诉对方哪些关于你的内容',
  text: '问一个问题，即可看到助手回答之前会得知你的哪些内容，以及每一条从何而来。',
  question: '你的问题',
  persona: '由谁回答',
  look: '查看',
  told: '会告知',
  nothing: '没有与此问题相关的内容。',
  wrong: '这条不该出现',
  missing: '缺了什么？',
  core: '总会告知',
  recall: '因这个问题而找到',
  left: '另有 {count} 条看过而未采用',
};

const ja: Readonly<Record<keyof typeof en, string>> = {
  title: 'あなたについて伝えられること',
  text: '質問すると、アシスタントが答える前にあなたについて何を知らされるか、それぞれがどこから来たかが分かります。',
  question: '質問',
  persona: '答える人格',
  look: '見る',
  told: '伝えられること',
  nothing: 'この質問に合う内容はありません。',
  wrong: 'これはここにあるべきではない',
  missing: '足りないものがありますか？',
  core: 'いつも伝えられる',
  recall: 'この質問のために見つかった',
  left: 'ほかに {count} 件を調べ、使いませんでした',
};

/** What the page where one asks says. */
export const askTexts = { en, zh, ja };
