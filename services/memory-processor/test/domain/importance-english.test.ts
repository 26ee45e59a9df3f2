import { describe, expect, it } from '@jest/globals';
import { anchor } from '../../src/domain/rating/scale.ts';
import { rateSentence } from '../../src/domain/rating/statements.ts';

type Row = readonly [importance: number, kind: string | undefined, sentence: string];

function rates(rows: readonly Row[]): void {
  it.each(rows.map(([importance, kind, sentence]) => [sentence, importance, kind] as const))(
    '%s is rated %p (%p)',
    (sentence, importance, kind) => {
      expect(rateSentence(sentence, ['Anna', 'Ben'])).toEqual({ importance, kind });
    },
  );
}

describe('small talk, questions and remarks', () => {
  rates([
    [1, undefined, 'Hey Ben! Lovely to see you!'],
    [1, undefined, "Thanks, that's so sweet!"],
    [1, undefined, 'See you tomorrow!'],
    [1, undefined, 'See you on Friday!'],
    [1, undefined, "I'm so sorry for your loss."],
    [1, undefined, '👍'],
    [2, undefined, 'How was your weekend?'],
    [2, undefined, 'Do you have any siblings?'],
    [2, undefined, 'Please summarize this article.'],
    [2, undefined, 'The weather is nice today.'],
    [3, undefined, 'I think so.'],
    [3, undefined, "I'll let you know."],
  ]);
});

describe('preferences', () => {
  rates([
    [8, 'preference', 'I love hiking.'],
    [8, 'preference', "I don't like coffee."],
    [8, 'preference', "I can't stand cilantro."],
    [8, 'preference', "I'm not a fan of horror movies."],
    [8, 'preference', 'My favorite food is sushi.'],
    [8, 'preference', "I'm afraid of heights."],
    [8, 'preference', "I don't eat meat."],
    [6, 'preference', 'I used to smoke.'],
    [6, 'preference', 'Running helps me relax.'],
  ]);
  describe('look-alikes', () => {
    rates([
      [4, 'preference', 'I love it!'],
      [4, 'preference', 'I like that idea.'],
      [4, 'preference', 'I love your painting.'],
      [3, undefined, "I'd like a coffee, please."],
      [2, undefined, 'Love and patience go a long way.'],
      [4, 'feeling', "I'm afraid I can't come."],
    ]);
  });
});

describe('plans', () => {
  rates([
    [7, 'plan', 'I want to become a pilot.'],
    [7, 'plan', "I'm saving up for a house."],
    [6, 'plan', "We're going camping next week."],
    [6, 'plan', 'I have an interview on Friday.'],
    [6, 'plan', 'I booked a flight to Rome for May 3rd.'],
    [5, 'plan', "I can't wait for the concert."],
    [4, 'plan', "I'd love to visit Japan someday."],
  ]);
  describe('look-alikes', () => {
    rates([
      [3, undefined, "I'm going to bed."],
      [3, undefined, 'If I get the job, I will move to Boston.'],
      [3, undefined, 'I wish I had a sister.'],
      [3, undefined, "I can't wait to see it."],
    ]);
  });
});

describe('events', () => {
  rates([
    [5, 'event', 'I went to the gym.'],
    [6, 'event', 'I went to a book fair yesterday.'],
    [5, 'event', 'Just got back from Paris.'],
    [7, 'event', 'I ran a marathon last Sunday.'],
    [10, 'life', 'I lost my job.'],
    [10, 'life', 'My father died last year.'],
    [9, 'life', 'We moved to Berlin.'],
    [8, 'life', 'She got married last week.'],
  ]);
  describe('look-alikes', () => {
    rates([
      [5, 'event', 'I lost my keys.'],
      [3, undefined, 'My phone died.'],
      [3, undefined, "I'm dying to see it."],
      [5, 'event', 'I got engaged in a long discussion.'],
      [3, undefined, "I'm expecting a package."],
      [3, undefined, 'We moved to the next slide.'],
      [3, undefined, "I didn't eat yet."],
      [3, undefined, 'I never said that.'],
    ]);
  });
});

describe('a greeting', () => {
  rates([
    [1, undefined, 'Good to hear from you again!'],
    [9, 'life', 'Good to see you, I just got promoted.'],
    [9, 'life', 'Hi! I got promoted.'],
  ]);
});

describe('health and safety', () => {
  rates([
    [10, 'safety', 'I want to kill myself.'],
    [10, 'safety', 'My husband hits me.'],
    [9, 'health', "I'm allergic to nuts, is that a problem?"],
    [2, undefined, "Kit's allergies again."],
    [9, 'health', 'The doctor said I have asthma.'],
    [9, 'health', "My mom has Alzheimer's."],
    [8, 'health', 'I broke my leg.'],
    [8, 'health', 'I quit smoking.'],
    [5, 'health', "I'm not allergic to anything."],
    [5, 'health', 'I have a headache.'],
  ]);
  describe('look-alikes', () => {
    rates([
      [3, undefined, 'I could kill for a coffee.'],
      [4, 'feeling', "I'm sick of this."],
      [4, 'feeling', "I'm dead tired."],
      [5, 'event', 'I broke my promise.'],
      [3, undefined, 'He hit a home run.'],
    ]);
  });
});

describe('relations and who one is', () => {
  rates([
    [8, 'relation', 'I have two kids.'],
    [8, 'relation', "I don't have any kids."],
    [8, 'relation', "My cat's name is Whiskers."],
    [8, 'relation', 'We have been married for ten years.'],
    [7, 'relation', 'My sister Anna is a teacher.'],
    [6, 'relation', 'Anna has three kids.'],
    [8, 'identity', 'I grew up in a small town in Ohio.'],
    [8, 'identity', 'My phone number is 555-0100.'],
    [7, 'identity', "I'm a software engineer at Google."],
    [7, 'identity', 'I play the guitar.'],
    [6, 'identity', 'I take metformin every day.'],
  ]);
  describe('look-alikes', () => {
    rates([
      [3, undefined, 'I have a question.'],
      [4, 'feeling', "I'm a bit tired."],
      [3, undefined, 'My sister is coming.'],
      [3, undefined, 'I was born to do this.'],
      [3, undefined, 'I play a role in this.'],
    ]);
  });
});

describe('feelings and figures', () => {
  rates([
    [4, 'feeling', 'I was so happy yesterday.'],
    [6, 'feeling', "I've been feeling really depressed lately."],
    [6, 'feeling', 'I miss my mom.'],
    [5, 'figure', 'It took 45 minutes and cost 1200 dollars.'],
  ]);
});

describe('what is said of the listener, supposed or in jest', () => {
  it.each([
    "You told me you're allergic to cats.",
    'If I get the job, I will move to Boston.',
    'I wish I had a sister.',
    "I'm allergic to Mondays.",
    'I quit my job, just kidding.',
    'This homework is killing me.',
    'Like I said, it works.',
  ])('%s weighs little', (sentence) => {
    expect(rateSentence(sentence).importance).toBeLessThanOrEqual(anchor.feeling);
  });
});
