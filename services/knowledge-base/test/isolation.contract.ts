import { type DocumentInput, type JsonObject, listRequestSchema, searchRequestSchema } from '@contextloom/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KnowledgeBase } from '../src/domain/knowledge-base.ts';
import type { DescribeEngine } from './support/engines.ts';
import type { TemporaryKnowledgeBase } from './support/service.ts';

/** 50 callers: one that names nobody, some whose names are easily taken for one another, and others. */
const users: readonly (string | undefined)[] = [
  undefined,
  'ann',
  'ANN',
  'ann ',
  'an',
  '"ann"',
  'null',
  '5',
  'é',
  'e\u0301',
  '用户',
  "' OR 1=1 --",
  '__proto__',
  ...Array.from({ length: 37 }, (_, at) => `user-${at}`),
];
const words = ['tea', 'train', '茶', '散步', 'secret'];

interface Step {
  readonly call: 'add' | 'batch' | 'get' | 'update' | 'delete' | 'search' | 'filter' | 'list' | 'stats';
  readonly user: string | undefined;
  readonly id: string;
  readonly word: string;
}

const steps = fc.array(
  fc.record<Step>({
    call: fc.constantFrom('add', 'add', 'add', 'batch', 'get', 'update', 'delete', 'search', 'filter', 'list', 'stats'),
    user: fc.constantFrom(...users),
    id: fc.integer({ min: 0, max: 25 }).map((at) => `id-${at}`),
    word: fc.constantFrom(...words),
  }),
  { minLength: 150, maxLength: 150 },
);

/** What the store should hold: whose each id is, and its content. */
type Model = Map<string, { readonly user: string | undefined; readonly content: string }>;

const owned = (user: string | undefined): JsonObject => (user === undefined ? {} : { user_id: user });
const toInput = (id: string, content: string, user: string | undefined, run: string): DocumentInput => ({
  doc_id: id,
  content,
  tags: [run, `tag of ${String(user)}`],
  metadata: owned(user),
});
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (error: { code: unknown }) => error.code,
  );

/** Makes the calls of the steps one after the other, and holds each answer against the model. */
function createCaller(kb: KnowledgeBase, run: string, model: Model) {
  const isFree = (id: string, user: string | undefined) => !model.has(id) || model.get(id)?.user === user;
  const mayReach = (id: string, user: string | undefined) =>
    model.has(id) && [user, undefined].includes(model.get(id)?.user);
  const visibleTo = (user: string | undefined) => [...model].filter(([, held]) => held.user === user).map(([id]) => id);

  const add = async (ids: readonly string[], content: string, user: string | undefined) => {
    const free = ids.every((id) => isFree(id, user));
    const call = kb.add(ids.map((id) => toInput(id, content, user, run)));
    expect(await codeOf(call)).toBe(free ? 'done' : 'conflict');
    if (free) for (const id of ids) model.set(id, { user, content });
  };

  return async ({ call, user, id: name, word }: Step, at: number): Promise<void> => {
    const id = `${run}-${name}`;
    const content = `${word} ${at} of ${String(user)}`;
    const reached = mayReach(id, user) ? 'done' : 'not_found';
    const expectIds = (found: readonly { readonly id: string }[]) =>
      expect({ user, found: found.map((one) => one.id).sort() }).toEqual({ user, found: visibleTo(user).sort() });
    /** Whatever a search brings is the user's to see, and all that says the word is among it. */
    const expectHits = (hits: readonly { readonly id: string }[]) => {
      const ids = hits.map((hit) => hit.id);
      const visible = visibleTo(user);
      expect(ids.filter((hit) => !visible.includes(hit))).toEqual([]);
      const saying = visible.filter((one) => model.get(one)?.content.startsWith(`${word} `));
      expect(saying.filter((one) => !ids.includes(one))).toEqual([]);
    };
    switch (call) {
      case 'add':
        return add([id], content, user);
      case 'batch':
        return add([`${run}-id-0`, `${run}-id-13`, `${run}-batch-${at}`], content, user);
      case 'get':
        if (reached === 'done') expect((await kb.get({ id, userId: user })).content).toBe(model.get(id)?.content);
        else expect(await codeOf(kb.get({ id, userId: user }))).toBe(reached);
        return;
      case 'update':
        expect(await codeOf(kb.update({ id, userId: user }, { content }))).toBe(reached);
        if (reached === 'done') model.set(id, { user: model.get(id)?.user, content });
        return;
      case 'delete':
        expect(await codeOf(kb.delete({ id, userId: user }))).toBe(reached);
        if (reached === 'done') model.delete(id);
        return;
      case 'search':
        return expectHits(
          await kb.search(searchRequestSchema.parse({ query: word, tags: [run], user_id: user, top_k: 100 })),
        );
      case 'filter':
        return expectHits(
          await kb.search(
            searchRequestSchema.parse({
              query: word,
              tags: [run],
              metadata_filter: { $and: [owned(user)] },
              top_k: 100,
            }),
          ),
        );
      case 'list':
        return expectIds(
          (await kb.list(listRequestSchema.parse({ tags: [run], user_id: user, limit: 200 }))).documents,
        );
      case 'stats': {
        const { tags, document_count: count } = await kb.stats(user);
        const { total } = await kb.list(listRequestSchema.parse({ user_id: user, limit: 1 }));
        expect(count).toBe(total);
        return expect(tags.filter((tag) => tag.startsWith('tag of ') && tag !== `tag of ${String(user)}`)).toEqual([]);
      }
    }
  };
}

/** Describes that users of one store see nothing of each other. */
export function describeIsolation(describeEngine: DescribeEngine): void {
  describeEngine('50 users on one store', ({ open, runs }) => {
    let temporary: TemporaryKnowledgeBase;
    beforeAll(async () => {
      temporary = await open();
    });
    afterAll(() => temporary.remove());

    it('never see, change, delete or replace each other’s documents, under whatever ids and in whatever order', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          run += 1;
          const model: Model = new Map();
          const call = createCaller(temporary.knowledgeBase, `run-${run}`, model);
          for (const [at, step] of all.entries()) await call(step, at);
          for (const [id, { user, content }] of model) {
            expect((await temporary.knowledgeBase.get({ id, userId: user })).content).toBe(content);
          }
        }),
        { numRuns: runs.few },
      );
    });

    it('interleaved at once under one id, one user holds it and the others are refused', async () => {
      const kb = temporary.knowledgeBase;
      const calls = users.map((user) => codeOf(kb.add([toInput('contested', `of ${String(user)}`, user, 'race')])));
      const codes = await Promise.all(calls);
      expect(codes.filter((code) => code === 'done')).toHaveLength(1);
      expect(codes.filter((code) => code === 'conflict')).toHaveLength(users.length - 1);
      const holder = users[codes.indexOf('done')];
      expect((await kb.get({ id: 'contested', userId: holder })).version).toBe(1);
    });
  });

  describeEngine('a user with few memories among others with many', ({ open }) => {
    let temporary: TemporaryKnowledgeBase;
    let kb: KnowledgeBase;
    const search = async (query: string, user: string) =>
      kb.search(searchRequestSchema.parse({ query, tags: ['memory'], metadata_filter: { user_id: user }, top_k: 3 }));
    const memory = (content: string, user_id: string): DocumentInput => ({
      content,
      tags: ['memory'],
      metadata: { user_id },
    });
    const crowd = Array.from({ length: 1_500 }, (_, at) =>
      memory('I drink green tea in the morning', `other-${at % 3}`),
    );

    beforeAll(async () => {
      temporary = await open();
      kb = temporary.knowledgeBase;
      await kb.add([memory('She drinks tea, rarely', 'few'), memory('她的猫叫小白', 'few')]);
    });
    afterAll(() => temporary.remove());

    it('finds them however many nearer ones others have, and no word of the others moves a score', async () => {
      const queries = ['green tea in the morning', '猫', 'drink'];
      const before = await Promise.all(queries.map((query) => search(query, 'few')));
      await kb.add(crowd.slice(0, 1_000));
      await kb.add(crowd.slice(1_000));
      const after = await Promise.all(queries.map((query) => search(query, 'few')));
      expect(after).toEqual(before);
      expect(after[0]?.map(({ content }) => content)).toEqual(['She drinks tea, rarely']);
      expect(after[1]?.[0]?.content).toBe('她的猫叫小白');
    });
  });
}
