import { describe, expect, it } from '@jest/globals';
import { describePersonas, toPersonaArguments, toPersonas } from '../../src/domain/context-sources/persona.ts';

describe('toPersonas', () => {
  it('names the personas that the configuration has servers for', () => {
    expect(toPersonas(['persona-uozumi', 'knowledge-base', 'persona-marlow', 'persona-', 'my-persona-x'])).toEqual([
      'marlow',
      'uozumi',
    ]);
  });
});

describe('describePersonas', () => {
  it('lists them, or says how to add one', () => {
    expect(describePersonas(['marlow', 'uozumi'])).toBe('the personas there are: marlow, uozumi');
    expect(describePersonas([])).toMatch(/has no persona .*persona-<name>/);
  });
});

describe('toPersonaArguments', () => {
  const names = { user_name: '小李', char_name: 'Uo' };

  it.each([
    [['user', 'char'], { user: '小李', char: 'Uo' }],
    [['user_name', 'char_name'], { user_name: '小李', char_name: 'Uo' }],
    [['user', 'user_name'], { user: '小李' }],
    [['style'], {}],
    [[], {}],
    [['constructor', '__proto__'], {}],
  ])('sends a persona that declares %j only %j', (accepted, expected) => {
    expect(toPersonaArguments(accepted, names)).toEqual(expected);
  });

  it('sends nothing for a name that was not given', () => {
    expect(toPersonaArguments(['user', 'char'], { user_name: undefined, char_name: 'Uo' })).toEqual({ char: 'Uo' });
    expect(toPersonaArguments(['user', 'char'], {})).toEqual({});
  });
});
