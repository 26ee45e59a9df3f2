import { describe, expect, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import type { Contextloom as BrowserContextloom } from '../src/browser.ts';
import { Contextloom, type ErrorCode, type Operations } from '../src/index.ts';

/** Checked by the compiler ("npm run types"); nothing is called. */
const memory = new Contextloom({ url: 'http://127.0.0.1:1' });

describe('the types of the client', () => {
  it('are those of the operations', () => {
    expectTypeOf(memory.recall).returns.resolves.toEqualTypeOf<Operations['recall']['output']>();
    expectTypeOf(memory.recall).returns.resolves.toHaveProperty('memories');
    expectTypeOf(memory.prompt).parameter(0).toEqualTypeOf<Operations['build_prompt_with_context']['input']>();
    expectTypeOf<Operations['recall']['output']['memories'][number]['score']>().toEqualTypeOf<number>();
    expectTypeOf<Operations['remember']['input']['kind']>().toEqualTypeOf<'fact' | 'event' | 'note' | undefined>();
    expectTypeOf<Operations['remember']['input']['user_id']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<'rate_limited'>().toExtend<ErrorCode>();
    expect(Object.keys(memory)).toEqual([]);
  });

  it('refuse what no operation takes', () => {
    expectTypeOf(memory.recall).parameter(1).exclude<undefined>().not.toHaveProperty('query');
    expectTypeOf<{ kind: 'poem' }>().not.toExtend<Operations['remember']['input']>();
    expectTypeOf<Record<never, never>>().not.toExtend<Operations['build_prompt_with_context']['input']>();
    expectTypeOf<{ command: string }>().not.toExtend<ConstructorParameters<typeof BrowserContextloom>[0]>();
    expectTypeOf<{ command: string }>().toExtend<ConstructorParameters<typeof Contextloom>[0]>();
    expect(() => new Contextloom({ url: 'file:///nowhere' })).toThrow('url must be an http or https address');
  });

  it('know the answers of operations called by name, and nothing of other tools', () => {
    expectTypeOf(memory.raw<'list_facts'>)
      .returns.resolves.toHaveProperty('structured')
      .toHaveProperty('facts');
    const other = (): Promise<{ readonly structured: unknown }> => memory.raw('weather__look_up', { place: 'Leith' });
    expectTypeOf<Awaited<ReturnType<typeof other>>['structured']>().toEqualTypeOf<unknown>();
    expect(memory.raw).toHaveLength(1);
  });
});
