const english = [
  'walked along the pier',
  'saw the vet',
  'baked a plum cake',
  'repaired the boat',
  'played chess',
  'bought new shoes',
];
const chinese = ['去公园散步', '看了医生', '做了红烧肉', '修好了自行车', '一起喝茶', '买了新鞋'];
const places = ['Leith', 'the harbour', 'the library', '北京', '胡同口', '图书馆'];
const costs = [0, 12, 180, 2_000];
const kinds = ['activity', 'illness', 'purchase', 'maintenance'];
const DAY_MS = 86_400_000;

/** The fact with a number: half of them English, half Chinese, each somewhere on a day of the last years. */
export function toFact(number) {
  const isChinese = number % 2 === 1;
  const what = (isChinese ? chinese : english)[Math.floor(number / 2) % 6];
  const where = places[Math.floor(number / 12) % 6];
  return {
    description: isChinese ? `第${number}次${what}，在${where}` : `${what} at ${where}, time ${number}`,
    type: kinds[number % 4],
    cost: costs[number % 4],
    time: Date.UTC(2025, 9, 28) - (number % 1_500) * DAY_MS,
  };
}
