import { describe, expect, it } from '@jest/globals';
import { toPlace } from '../src/domain/documents/places.ts';
import { describeSequences } from './neighbours.contract.ts';
import { describeInFile } from './support/engines.ts';

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

describeSequences(describeInFile);
