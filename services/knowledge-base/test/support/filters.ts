import type { JsonObject, JsonValue } from '@contextloom/contracts';
import fc from 'fast-check';

/** Few keys and values, so that filters meet documents; names that would break a spliced query. */
const key = fc.constantFrom('k', 'a.b', "it's", '"q"', '__proto__', '键', '$k2');
const time = fc.constantFrom(
  '2024-01-01',
  '2024-01-01T00:00:00Z',
  '2024-01-01T08:00:00+08:00',
  '2025-06-30T12:00:00.500Z',
);
/** Some that engines truncate, round, or hold in another column than their neighbours. */
const numbers = [5, 5.5, -1.5, 0, 0.1 + 0.2, 4.999999999999999, 2 ** 53 + 2, 1e21, -1e21, 5e-324];
const scalar = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, '', '5', '5.5', 'x', '茶', 'a\u0000b', ...numbers),
  time,
);
const nested = fc.constantFrom<JsonValue>([1, 'x'], { k: 1 }, [], {});
const owner = fc.constantFrom<JsonValue>(null, 'ann', '用户');
/** Metadata of a document, which says whose it is or not. */
export const metadata = fc
  .tuple(
    fc.array(fc.tuple(key, fc.oneof({ arbitrary: scalar, weight: 4 }, nested)), { maxLength: 5 }),
    fc.array(fc.tuple(fc.constant('user_id'), owner), { maxLength: 1 }),
  )
  .map(([entries, owners]) => toObject([...entries, ...owners]));

/** Own keys, whatever they are called: an object literal would take `__proto__` for something else. */
function toObject(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  return Object.fromEntries(entries);
}

const spelled = (name: string) => fc.constantFrom(name, `$${name}`);
const operators = fc.oneof(
  fc.tuple(fc.constantFrom('eq', 'ne').chain(spelled), scalar),
  fc.tuple(fc.constantFrom('in', 'nin').chain(spelled), fc.array(scalar, { maxLength: 4 })),
  fc.tuple(
    fc.constantFrom('gt', 'gte', 'lt', 'lte').chain(spelled),
    fc.oneof(fc.constantFrom<JsonValue>(-2, ...numbers), time),
  ),
);
const ownerOperators = fc.oneof(
  fc.tuple(fc.constantFrom('eq', 'ne').chain(spelled), owner),
  fc.tuple(fc.constantFrom('in', 'nin').chain(spelled), fc.array(owner, { maxLength: 3 })),
);
const comparison = fc.oneof(
  fc.tuple(
    fc.constant('user_id'),
    fc.oneof(
      owner,
      ownerOperators.map((one) => toObject([one])),
    ),
  ),
  fc.tuple(
    key.filter((name) => !name.startsWith('$')),
    scalar,
  ),
  fc.tuple(
    key.filter((name) => !name.startsWith('$')),
    fc.array(operators, { minLength: 1, maxLength: 2 }).map(toObject),
  ),
);
/** A metadata filter as it comes over the wire, of any depth. */
export const { filter } = fc.letrec<{ filter: JsonObject }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.array(comparison, { minLength: 1, maxLength: 2 }).map(toObject),
    fc
      .tuple(fc.constantFrom('$and', '$or'), fc.array(tie('filter'), { maxLength: 3 }))
      .map((entry) => toObject([entry])),
  ),
}));
