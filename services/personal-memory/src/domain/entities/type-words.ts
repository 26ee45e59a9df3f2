import type { EntityType } from '@contextloom/contracts/personal-memory';

/** A kind of thing that people call by a common word, such as dog. */
export interface Kind {
  readonly type: EntityType;
  readonly name: string;
  /** Words for it in texts and attributes, such as breeds and makes. */
  readonly words: readonly string[];
}

const words = (text: string): readonly string[] => text.split(' ');

/** The kinds within each type. */
export const kinds: readonly Kind[] = [
  {
    type: 'pet',
    name: 'dog',
    words: words(
      'dog puppy doggy hound retriever labrador poodle corgi husky terrier beagle bulldog collie dachshund spaniel 狗 犬 金毛 拉布拉多 泰迪 柯基 哈士奇 柴犬 边牧 博美 比熊 萨摩耶 斗牛 德牧 贵宾',
    ),
  },
  {
    type: 'pet',
    name: 'cat',
    words: words('cat kitten kitty tabby siamese ragdoll persian sphynx 猫 英短 美短 布偶 暹罗 橘猫 狸花 缅因'),
  },
  { type: 'pet', name: 'bird', words: words('bird parrot budgie canary 鸟 鹦鹉 八哥') },
  { type: 'pet', name: 'fish', words: words('fish goldfish guppy 鱼 金鱼 锦鲤') },
  { type: 'pet', name: 'rabbit', words: words('rabbit bunny 兔 兔子') },
  { type: 'pet', name: 'hamster', words: words('hamster 仓鼠') },
  { type: 'property', name: 'flat', words: words('flat apartment condo 公寓 套房') },
  { type: 'property', name: 'house', words: words('house villa cottage 别墅') },
  { type: 'vehicle', name: 'bicycle', words: words('bicycle bike ebike 自行车 电动车 单车') },
  { type: 'vehicle', name: 'motorcycle', words: words('motorcycle motorbike scooter 摩托 摩托车') },
  { type: 'person', name: 'mother', words: words('mother mum mom mama 妈妈 母亲 老妈') },
  { type: 'person', name: 'father', words: words('father dad papa 爸爸 父亲 老爸') },
  { type: 'person', name: 'wife', words: words('wife 老婆 妻子 太太 媳妇') },
  { type: 'person', name: 'husband', words: words('husband 老公 丈夫') },
  { type: 'person', name: 'child', words: words('child son daughter kid 儿子 女儿 孩子') },
  { type: 'person', name: 'friend', words: words('friend 朋友 闺蜜 哥们') },
  { type: 'person', name: 'colleague', words: words('colleague coworker boss 同事 老板 上司') },
];

/** Words for any entity of a type; 那只 counts animals only, and 那辆 vehicles, whatever noun is left out after them. */
export const typeWords: Readonly<Record<EntityType, readonly string[]>> = {
  pet: words('pet animal 宠物 毛孩子 那只 这只 那条 这条'),
  property: words('property home flat apartment house 房 房子 房产 我家 家里 那套 这套 那间 这间'),
  vehicle: words('vehicle car truck van 车 车子 汽车 轿车 那辆 这辆 那台车'),
  person: words('person relative 家人 亲人 亲戚 那位 这位 那个人'),
  other: [],
};
