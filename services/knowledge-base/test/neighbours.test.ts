import { describe, expect, it } from '@jest/globals';
import { toPlace } from '../src/domain/documents/places.ts';
import { boostByNeighbours, type Placed } from '../src/domain/ranking/neighbours.ts';
import { NEIGHBOURS } from '../src/domain/search/tuning.ts';
import { describeSequences } from './neighbours.contract.ts';
import { describeInFile } from './support/engines.ts';

const [next = 0] = NEIGHBOURS.fromBefore;
const [previous = 0] = NEIGHBOURS.fromAfter;
const at = (id: string, relevance: number, position: number, sequence = 's'): Placed => ({
  ...{ id, relevance, place: { sequence, position } },
});

describe('the place of a document', () => {
  it.each([
    [
      { sequence: 'chat-1', position: 3 },
      { sequence: 'chat-1', position: 3 },
    ],
    [{ sequence: 'chat-1' }, undefined],
    [{ position: 3 }, undefined],
    [{ sequence: 5, position: 3 }, undefined],
    [{ sequence: 'chat-1', position: '3' }, undefined],
    [{ sequence: 'chat-1', position: 2.5 }, undefined],
    [{}, undefined],
  ])('of metadata %j is %j', (metadata, place) => {
    expect(toPlace(metadata)).toEqual(place);
  });
});

describe('neighbours', () => {
  it('lift each other by their shares, more forwards than back, and nobody else', () => {
    const lifted = boostByNeighbours([
      at('question', 10, 4),
      at('answer', 0, 5),
      at('before', 0, 3),
      at('far', 0, 9),
      at('elsewhere', 0, 5, 'other'),
      { id: 'alone', relevance: 7, place: undefined },
    ]);
    expect(Object.fromEntries(lifted)).toEqual({
      question: 10,
      answer: 10 * next,
      before: 10 * previous,
      far: 0,
      elsewhere: 0,
      alone: 7,
    });
    expect(next).toBeGreaterThan(previous);
  });

  it('get more from a document that ends on a question', () => {
    const [asks, tells] = [true, false].map((endsAsking) =>
      boostByNeighbours([{ ...at('before', 10, 4), endsAsking }, at('after', 0, 5)]).get('after'),
    );
    expect(asks).toBe(10 * NEIGHBOURS.fromQuestion);
    expect(tells).toBe(10 * next);
  });

  it('lift once, though a document that was looked up was found before', () => {
    const twice = [at('question', 10, 4), at('answer', 1, 5), at('question', 10, 4), at('answer', 1, 5)];
    expect(boostByNeighbours(twice)).toEqual(boostByNeighbours(twice.slice(0, 2)));
  });

  it('keep the order of equals: what is more relevant among equal neighbours stays first', () => {
    const lifted = boostByNeighbours([at('a', 5, 1), at('b', 4, 3)]);
    expect(lifted.get('a') ?? 0).toBeGreaterThan(lifted.get('b') ?? 0);
  });
});

describeSequences(describeInFile);
