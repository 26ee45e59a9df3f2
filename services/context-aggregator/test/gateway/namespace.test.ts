import { findSuperlinear } from '@contextloom/testing/growth';
import { describe, expect, it } from '@jest/globals';
import { createNamespace, toServerIds } from '../../src/gateway/catalogue/namespace.ts';

const ALLOWED = /^[a-zA-Z0-9_-]{1,64}$/;

describe('a namespace', () => {
  it('puts the server in front, and an underscore in place of what models do not take', () => {
    expect(createNamespace({ server: 'agent-mem' }).name(['mem.search', 'get'])).toEqual([
      'agent-mem__mem_search',
      'agent-mem__get',
    ]);
  });

  it('takes another prefix, or none', () => {
    expect(createNamespace({ server: 'wiki', prefix: 'w_' }).name(['find'])).toEqual(['w_find']);
    expect(createNamespace({ server: 'wiki', prefix: '' }).name(['find'])).toEqual(['find']);
  });

  it('takes a name in full where one is given', () => {
    expect(createNamespace({ server: 'wiki', rename: { find: 'look_up' } }).name(['find', 'list'])).toEqual([
      'look_up',
      'wiki__list',
    ]);
  });

  it('shortens long names to different ones, the same at every start', () => {
    const long = ['a', 'b'].map((end) => `${'search_all_the_documents_'.repeat(4)}${end}`);
    const names = createNamespace({ server: 'knowledge-base' }).name(long);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(ALLOWED);
    expect(createNamespace({ server: 'knowledge-base' }).name([...long].reverse())).toEqual([...names].reverse());
  });

  it('keeps names apart that differ only in signs that models do not take', () => {
    const names = createNamespace({ server: 'm' }).name(['a.b', 'a_b', 'a b', '记忆', '知识']);
    expect(new Set(names).size).toBe(5);
    expect(names[1]).toBe('m__a_b');
    for (const name of names) expect(name).toMatch(ALLOWED);
  });

  it('takes time in proportion to how many there are', () => {
    const { name } = createNamespace({ server: 'm' });
    const run = (text: string): unknown => name([...text].map((_, at) => `tool_${at}`));
    expect(findSuperlinear(run, { units: ['t'] })).toEqual([]);
  });
});

describe('ids of servers', () => {
  it('are their names, but where one loses letters and two would be called the same, or nothing would be left', () => {
    expect([...toServerIds(['own.wiki', 'notes'])]).toEqual([
      ['own.wiki', 'own.wiki'],
      ['notes', 'notes'],
    ]);
    const names = ['名前', '言語', 'own.wiki', 'own_wiki', 'a名', 'a前'];
    const ids = toServerIds(names);
    const prefixes = names.map((name) => createNamespace({ server: ids.get(name) ?? '' }).prefix);
    expect(new Set(prefixes).size).toBe(names.length);
    expect(ids.get('own_wiki')).toBe('own_wiki');
    for (const prefix of prefixes) expect(prefix).toMatch(ALLOWED);
  });
});
