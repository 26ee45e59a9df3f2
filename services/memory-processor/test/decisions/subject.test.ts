import { describe, expect, it } from '@jest/globals';
import { areOfTwoPeople } from '../../src/domain/decisions/subject.ts';

describe('two statements are about two people', () => {
  it.each([
    ['The user lives in Bonn.', "The user's sister lives in Bonn."],
    ['Ann lives in Bonn.', "Ann's brother lives in Bonn."],
    ["Ann's sister is a nurse.", "Ann's mother is a nurse."],
    ['Ann is a nurse.', 'Bob is a nurse.'],
    ['My brother plays chess.', 'I play chess.'],
    ['用户住在北京。', '用户的姐姐住在北京。'],
    ['王芳是护士。', '李雷是护士。'],
    ['我爸爸喜欢钓鱼。', '我喜欢钓鱼。'],
  ])('%j, %j', (one, other) => {
    expect([areOfTwoPeople(one, other), areOfTwoPeople(other, one)]).toEqual([true, true]);
  });

  it.each([
    ['Ann lives in Bonn.', 'Ann Reid has a home in Bonn.'],
    ['The user lives in Bonn.', 'Ann lives in Bonn.'],
    ['The harbour closes at noon.', 'At noon the harbour closes.'],
    ["The user's sister is a nurse.", "User's sister works as a nurse."],
    ['用户的姐姐是护士。', '用户姐姐在医院做护士。'],
    ['王芳是护士。', '王芳在医院做护士。'],
    ['Every day Ann swims.', 'Ann swims every day.'],
    ['Ann lives in Bonn.', 'Bonn is the home of Ann.'],
    ["The user's sister lives in Bonn.", 'Anna lives in Bonn.'],
    ["Ann's brother lives in Bonn.", "Bonn is where Ann's brother lives."],
  ])('but not %j, %j', (one, other) => {
    expect([areOfTwoPeople(one, other), areOfTwoPeople(other, one)]).toEqual([false, false]);
  });
});
