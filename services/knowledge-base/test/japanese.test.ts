import { searchRequestSchema } from '@contextloom/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTemporary, type TemporaryKnowledgeBase } from './support/service.ts';

const said = [
  '葵: 先週、神戸から横浜に引っ越しました。',
  '葵: 母は小学校の先生をしています。',
  '葵: エビのアレルギーがあるので、お寿司は玉子ばかりです。',
  '葵: 土曜の朝はいつも川沿いを十キロ走ります。',
  '葵: 弟の健太が来月結婚します。',
  '葵: 新しい仕事は図書館の司書です。',
  '葵: 子どものころからチェロを弾いています。',
  '葵: 猫のもなかは十二歳になりました。',
  '葵: 夏休みは北海道でキャンプをするつもりです。',
  '葵: パスポートの期限が十一月に切れます。',
];

let opened: TemporaryKnowledgeBase;

beforeAll(async () => {
  opened = await openTemporary();
  await opened.knowledgeBase.add(
    said.map((content, at) => ({ doc_id: `d${at}`, content, tags: ['memory'], metadata: {} })),
  );
});
afterAll(() => opened.remove());

it.each([
  ['どこに引っ越しましたか？', 0],
  ['お母さんは何の先生ですか？', 1],
  ['何のアレルギーがありますか？', 2],
  ['土曜の朝は何をしますか？', 3],
  ['弟はいつ結婚しますか？', 4],
  ['図書館で働いているのは？', 5],
  ['どんな楽器を弾いていますか？', 6],
  ['猫は何歳ですか？', 7],
  ['夏休みの予定は？', 8],
  ['パスポートの期限はいつ？', 9],
])('finds what was said in Japanese: %s', async (query, at) => {
  const [first] = await opened.knowledgeBase.search(searchRequestSchema.parse({ query }));
  expect(first?.id).toBe(`d${at}`);
});
