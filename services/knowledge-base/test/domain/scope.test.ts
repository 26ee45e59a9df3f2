import { type JsonObject, type JsonValue, userIdSchema } from '@contextloom/contracts';
import { meets, parseFilter, toAttributes, toRowCondition } from '@contextloom/retrieval/filter';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { omitNullOwner, toOwner, toSelection } from '../../src/domain/documents/isolation.ts';
import { toScopedFilter } from '../../src/domain/documents/scope.ts';
import type { Isolation } from '../../src/domain/knowledge-base.ts';

/** Owners that are users, and others that a store has which was filled without isolation; `''` is no user. */
const owners: readonly JsonValue[] = [null, 'ann', 'bob', '用户', '5', 5, true, ''];
const documents: readonly JsonObject[] = owners.flatMap((user_id) => [
  ...(user_id === null ? [{}, { k: 1 }] : []),
  { user_id },
  { user_id, k: 1 },
]);

const user = fc.constantFrom('ann', 'bob', '用户', '5');
const owner = fc.oneof(
  { arbitrary: user, weight: 16 },
  { arbitrary: fc.constantFrom<JsonValue>(null, 5, true), weight: 8 },
  { arbitrary: fc.constant(''), weight: 1 },
);
const spelled = (name: string) => fc.constantFrom(name, `$${name}`);
const asked = fc.oneof(
  owner,
  fc.tuple(fc.constantFrom('eq', 'ne').chain(spelled), owner).map((one) => Object.fromEntries([one])),
  fc
    .array(fc.tuple(fc.constantFrom('in', 'nin').chain(spelled), fc.array(owner, { maxLength: 3 })), {
      minLength: 1,
      maxLength: 2,
    })
    .map((some) => Object.fromEntries(some)),
  fc.constantFrom<JsonValue>({ gt: 0 }, { $lte: 9 }),
);
const { filter } = fc.letrec<{ filter: JsonObject }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record<JsonObject>({ user_id: asked, k: fc.constantFrom<JsonValue>(1, { ne: 1 }) }, { requiredKeys: [] }),
    fc.record<JsonObject>(
      {
        user_id: asked,
        $and: fc.array(tie('filter'), { maxLength: 3 }),
        $or: fc.array(tie('filter'), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
  ),
}));

type Visit = (operator: string, operand: JsonValue) => readonly JsonValue[];

/** What the conditions on `user_id` come to, inside the branches named. */
function visitUsers(filter: JsonObject, branches: readonly string[], visit: Visit): readonly JsonValue[] {
  return Object.entries(filter).flatMap(([name, value]) => {
    if (branches.includes(name)) {
      return (value as readonly JsonObject[]).flatMap((part) => visitUsers(part, branches, visit));
    }
    if (name !== 'user_id') return [];
    if (typeof value !== 'object' || value === null) return visit('eq', value);
    return Object.entries(value as JsonObject).flatMap(([operator, operand]) =>
      visit(operator.replace('$', ''), operand),
    );
  });
}

const listOf = (operator: string, operand: JsonValue): readonly JsonValue[] => {
  if (operator === 'eq') return [operand];
  return operator === 'in' ? (operand as readonly JsonValue[]) : [];
};

const attributesOf = (metadata: JsonObject) => toAttributes({ tags: [], metadata: omitNullOwner(metadata) });

/** The rule of before scopes, said plainly: a filter opens the users that it names, and every condition of it has to be met. */
interface Rule {
  readonly named: readonly JsonValue[];
  readonly sees: (document: JsonObject) => boolean;
  readonly matches: (document: JsonObject) => boolean;
}

function toRule(given: JsonObject, userId: string | undefined, isolation: Isolation): Rule {
  const whole: JsonObject = userId === undefined ? given : { $and: [given, { user_id: userId }] };
  const named: readonly JsonValue[] = visitUsers(whole, ['$and', '$or'], listOf).filter(
    (one) => typeof one === 'string',
  );
  const limits = visitUsers(whole, ['$and'], (operator, operand) =>
    ['eq', 'in'].includes(operator) ? [listOf(operator, operand) as JsonValue] : [],
  ) as readonly (readonly JsonValue[])[];
  const condition = toRowCondition(parseFilter(whole));
  return {
    named,
    sees: ({ user_id: of = null }) =>
      (isolation === 'off' || of === null || named.includes(of)) && limits.every((limit) => limit.includes(of)),
    matches: (metadata) => meets(attributesOf(metadata), condition),
  };
}

const isUser = (name: JsonValue): boolean => userIdSchema.safeParse(name).success;

describe.each(['strict', 'off'] as const)('a request with users anywhere in its filter (isolation %s)', (isolation) => {
  it('names the same users, sees the same documents and leaves the same of them as the rule of before scopes', () => {
    const outcomes = { refused: 0, left: 0, ruledOut: 0, unseen: 0 };
    const property = fc.property(filter, fc.option(user, { nil: undefined }), (metadata_filter, user_id) => {
      const { named, sees, matches } = toRule(metadata_filter, user_id, isolation);
      const scoped = toScopedFilter({ metadata_filter, user_id });
      expect(scoped.scope.users).toEqual(named);
      if (isolation === 'strict' && !named.every(isUser)) {
        outcomes.refused += 1;
        const refusal = expect.objectContaining({ code: 'invalid', field: 'metadata_filter.user_id' });
        expect(() => toSelection(scoped, isolation)).toThrow(refusal);
        return;
      }
      const { visible, condition } = toSelection(scoped, isolation);
      const expected = documents.map((metadata) => {
        const isSeen = sees(metadata);
        return { metadata, isSeen, isLeft: isSeen && matches(metadata) };
      });
      const actual = documents.map((metadata) => {
        const isSeen = visible.kind === 'everyone' || visible.owners.includes(toOwner(metadata, 'off'));
        return { metadata, isSeen, isLeft: isSeen && meets(attributesOf(metadata), condition) };
      });
      expect({ metadata_filter, user_id, actual }).toEqual({ metadata_filter, user_id, actual: expected });
      for (const { isSeen, isLeft } of actual) outcomes[isLeft ? 'left' : isSeen ? 'ruledOut' : 'unseen'] += 1;
    });
    fc.assert(property, { numRuns: 1_000 });
    const { refused, ...rest } = outcomes;
    expect(Math.min(...Object.values(rest))).toBeGreaterThan(50);
    expect(refused > 0).toBe(isolation === 'strict');
  });
});

describe('the scope of a request', () => {
  it('is the same for a user in user_id and in the filter, which then has no condition on users left', () => {
    const scope = { users: ['ann'], owners: ['"ann"'] };
    const always = { scope, condition: { test: 'always' } };
    expect(toScopedFilter({ user_id: 'ann' })).toEqual(always);
    expect(toScopedFilter({ metadata_filter: { user_id: 'ann' } })).toEqual(always);
    expect(toScopedFilter({ metadata_filter: { $and: [{ user_id: { $in: ['ann'] } }] } })).toEqual(always);
  });

  it.each([null, { in: ['ann', null] }, { $in: ['ann', 5] }])(
    'keeps a condition that no user alone meets: %j',
    (asked) => {
      const { condition } = toScopedFilter({ metadata_filter: { user_id: asked } });
      expect(condition).toEqual(toRowCondition(parseFilter({ user_id: asked })));
      expect(meets(attributesOf({}), condition)).toBe(false);
    },
  );

  it('keeps a condition on users inside $or in the rest, as one on metadata', () => {
    const { scope, condition } = toScopedFilter({ metadata_filter: { $or: [{ user_id: 'ann' }, { k: 1 }] } });
    expect(scope).toEqual({ users: ['ann'] });
    expect(condition).toEqual({
      test: 'or',
      conditions: [
        { test: 'in', attribute: 'str:user_id', values: ['ann'] },
        { test: 'in', attribute: 'num:k', values: [1] },
      ],
    });
  });
});
