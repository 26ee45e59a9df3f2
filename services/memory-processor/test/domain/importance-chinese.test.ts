import { describe, expect, it } from '@jest/globals';
import { anchor } from '../../src/domain/rating/scale.ts';
import { rateSentence } from '../../src/domain/rating/statements.ts';

type Row = readonly [importance: number, kind: string | undefined, sentence: string];

function rates(rows: readonly Row[]): void {
  it.each(rows.map(([importance, kind, sentence]) => [sentence, importance, kind] as const))(
    '%s is rated %p (%p)',
    (sentence, importance, kind) => {
      expect(rateSentence(sentence, ['李雷'])).toEqual({ importance, kind });
    },
  );
}

describe('small talk, questions and remarks', () => {
  rates([
    [1, undefined, '早上好，最近怎么样？'],
    [1, undefined, '好的，谢谢！'],
    [1, undefined, '明天见'],
    [1, undefined, '哈哈哈哈'],
    [1, undefined, '笑死我了！'],
    [2, undefined, '你喜欢吃什么？'],
    [2, undefined, '你对花生过敏吗？'],
    [2, undefined, '请把这段话翻译成英文。'],
    [2, undefined, '天气不错。'],
    [3, undefined, '我在想这个问题。'],
    [3, undefined, '我会考虑的。'],
  ]);
});

describe('preferences', () => {
  rates([
    [8, 'preference', '我喜欢爬山。'],
    [8, 'preference', '我不太喜欢吃甜的。'],
    [8, 'preference', '我最喜欢的电影是《霸王别姬》。'],
    [8, 'preference', '我不吃香菜。'],
    [8, 'preference', '我不会再喝酒了。'],
    [8, 'preference', '我怕打针。'],
    [8, 'preference', '摄影是我最大的爱好。'],
    [6, 'preference', '他喜欢打篮球。'],
  ]);
  describe('look-alikes', () => {
    rates([
      [4, 'preference', '我喜欢你这个想法。'],
      [4, 'preference', '我喜欢这首歌。'],
      [3, undefined, '我没吃饭。'],
      [3, undefined, '我不吃了。'],
      [3, undefined, '我想要一杯咖啡。'],
    ]);
  });
});

describe('plans', () => {
  rates([
    [7, 'plan', '我想成为一名作家。'],
    [7, 'plan', '其实我一直都想当一名画家。'],
    [7, 'plan', '我准备明年去日本留学。'],
    [6, 'plan', '我下周要去北京出差。'],
    [6, 'plan', '周五有个面试。'],
    [6, 'plan', '明天下午三点我有个牙医的预约。'],
  ]);
  describe('look-alikes', () => {
    rates([
      [3, undefined, '我会去的。'],
      [3, undefined, '我想死你了！'],
    ]);
  });
});

describe('events', () => {
  rates([
    [6, 'event', '我昨天去爬山了。'],
    [7, 'event', '我昨天丢了钱包。'],
    [10, 'life', '我结婚了！'],
    [8, 'life', '我朋友上个月结婚了。'],
    [10, 'life', '我爷爷去年去世了。'],
    [10, 'life', '我被公司裁员了。'],
    [9, 'life', '我刚从公司辞职。'],
    [7, 'life', '李雷上个月搬去了上海。'],
  ]);
  describe('look-alikes', () => {
    rates([
      [2, undefined, '手机没电了。'],
      [2, undefined, '电脑死机了。'],
      [5, 'event', '我叫了外卖。'],
    ]);
  });
});

describe('health and safety', () => {
  rates([
    [10, 'safety', '我不想活了。'],
    [10, 'safety', '我被我老公打了。'],
    [9, 'health', '我对花生过敏，可以吃这个吗？'],
    [9, 'health', '你以后要是给我推荐吃的，记住我对芒果过敏。'],
    [9, 'health', '千万别忘了我对青霉素过敏。'],
    [2, undefined, '你还记得我对什么过敏吗？'],
    [9, 'health', '确诊了糖尿病。'],
    [9, 'health', '我妈妈上周住院了。'],
    [8, 'health', '我已经戒烟三年了。'],
    [8, 'health', '我以前抽烟，现在戒了。'],
  ]);
  describe('look-alikes', () => {
    rates([
      [3, undefined, '我对他很敏感。'],
      [4, 'feeling', '累死了'],
    ]);
  });
});

describe('relations and who one is', () => {
  rates([
    [8, 'relation', '我有一只猫。'],
    [8, 'relation', '我没有孩子。'],
    [8, 'relation', '我养了一条金毛，叫豆豆。'],
    [8, 'relation', '我们结婚五年了。'],
    [7, 'relation', '我老公是程序员。'],
    [8, 'identity', '我叫李明。'],
    [8, 'identity', '我从小在成都长大。'],
    [8, 'identity', '我生日是3月5日。'],
    [7, 'identity', '我在上海工作。'],
    [7, 'identity', '我会弹钢琴。'],
    [6, 'identity', '我每天早上跑步五公里。'],
  ]);
  describe('look-alikes', () => {
    rates([
      [3, undefined, '我有个问题。'],
      [3, undefined, '我是说这个不行。'],
      [3, undefined, '我妈做的饭最好吃。'],
      [5, 'identity', '我不是学生，我已经工作了。'],
    ]);
  });
});

describe('feelings and figures', () => {
  rates([
    [4, 'feeling', '我有点累。'],
    [4, 'feeling', '我觉得压力很大。'],
    [6, 'feeling', '我想家了。'],
    [6, 'feeling', '我最近睡不好，总是失眠。'],
    [5, 'figure', '这个包花了1200元。'],
  ]);
});

describe('what is said of the listener, supposed or in jest', () => {
  it.each(['你说过你对猫过敏。', '如果我有一条狗，我会很开心。', '我辞职了，开玩笑的。', '我怕你不来。'])(
    '%s weighs little',
    (sentence) => {
      expect(rateSentence(sentence).importance).toBeLessThanOrEqual(anchor.feeling);
    },
  );
});
