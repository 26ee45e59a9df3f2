import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '../../../../shared/tooling/any-character.ts';
import { UTTERANCES } from '../../src/domain/search/tuning.ts';
import { createUtteranceFactor, toUtterance } from '../../src/domain/search/utterances.ts';

describe('an utterance', () => {
  it.each([
    ['Ann: Graz, it rained every day.', { asks: 0, endsAsking: false, speaker: 'Ann' }],
    ['Ben: Where did you go?', { asks: 1, endsAsking: true, speaker: 'Ben' }],
    ['小明：你养的猫叫什么名字？', { asks: 1, endsAsking: true, speaker: '小明' }],
    ['Is it far?" [photo: a hill]', { asks: 1, endsAsking: true, speaker: undefined }],
    ['', { asks: 0, endsAsking: false, speaker: undefined }],
  ])('of %j is %j', (content, utterance) => {
    expect(toUtterance(content)).toEqual(utterance);
  });

  it('asks as far as its sentences are questions, and ends asking only when the last one is', () => {
    const { asks, endsAsking } = toUtterance('Ann: How nice! And you? I stay here.');
    expect(asks).toBeGreaterThan(0);
    expect(asks).toBeLessThan(0.5);
    expect(endsAsking).toBe(false);
  });

  it('is not read of a long text', () => {
    expect(toUtterance(`Ann: ${'really? '.repeat(UTTERANCES.longest)}`)).toMatchObject({ asks: 0, endsAsking: false });
  });

  it('weighs more when someone who is asked about says it', () => {
    const weigh = createUtteranceFactor(['ann', '小明']);
    expect(weigh(toUtterance('Ann: tea'))).toBe(1 + UTTERANCES.speakerGain);
    expect(weigh(toUtterance('小明：茶'))).toBe(1 + UTTERANCES.speakerGain);
    expect(weigh(toUtterance('Ben: tea, Ann'))).toBe(1);
  });

  it('loses and gains no more than its bounds, whatever is said', () => {
    const said = fc.oneof(
      fc.string(),
      fc.string({ unit: anyCharacter }),
      fc.stringMatching(/^(Ann|Bo): ([a-z]+[?.！？ ]){0,9}$/),
    );
    fc.assert(
      fc.property(said, (content) => {
        const weight = createUtteranceFactor(['ann'])(toUtterance(content));
        expect(weight).toBeGreaterThanOrEqual(1 - UTTERANCES.questionLoss - 1e-9);
        expect(weight).toBeLessThanOrEqual(1 + UTTERANCES.speakerGain);
      }),
    );
  });
});
