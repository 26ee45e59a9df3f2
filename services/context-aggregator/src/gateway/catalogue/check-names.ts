import { ContextloomError } from '@contextloom/contracts';
import { type Exposed, readNames } from './catalogue.ts';

/** Where two servers can bring the same name: each pair that has the same prefix, such as none. */
function* pairs(exposed: readonly Exposed[]): Generator<readonly [Exposed, Exposed]> {
  for (const [at, one] of exposed.entries()) {
    for (const other of exposed.slice(at + 1)) {
      const [a, b] = [one, other].map(({ namespace }) => namespace.prefix);
      const hasNames = [one, other].some(({ exposure }) => exposure.rename !== undefined);
      if (hasNames || a === b) yield [one, other];
    }
  }
}

/**
 * Refuses a configuration under which two servers offer the same name. Only servers whose names can meet are asked what they
 * have; one that does not answer is passed over, and its names give way when it comes.
 * @throws ContextloomError `invalid`, naming both servers
 */
export async function checkNames(exposed: readonly Exposed[]): Promise<void> {
  for (const [one, other] of pairs(exposed)) {
    for (const kind of ['tools', 'prompts'] as const) {
      const [first, second] = await Promise.all([readNames(one, kind), readNames(other, kind)]);
      const shared = first.find(({ name }) => second.some((entry) => entry.name === name));
      if (shared === undefined) continue;
      const servers = [one, other].map(({ provider }) => provider.name).join(' and ');
      throw new ContextloomError(
        'invalid',
        `${servers} both offer ${shared.name}: give one of them a "prefix" or a "rename" in aggregator.expose`,
        {
          field: 'expose',
        },
      );
    }
  }
}
