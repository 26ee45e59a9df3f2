import type { AuditLine, Principal } from '@contextloom/access';
import { type AggregatorContract, aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import type { z } from 'zod';
import { type AggregatorContext, toAccess } from '../deps.ts';

const NAME = 'list_activity';
type Question = z.output<AggregatorContract['list_activity']['input']>;

/** An admin who reaches everybody sees all calls; anybody else their own, about those whom they still reach. */
function toVisible({ name, users, projects, scopes }: Principal): (line: AuditLine) => boolean {
  const isOpen = users === 'all' && projects === 'all';
  if (isOpen && scopes.includes('admin')) return () => true;
  const reached = isOpen ? undefined : new Set([users, projects].flatMap((reach) => (reach === 'all' ? [] : reach)));
  return ({ who, subjects }) => who === name && subjects.every((one) => reached?.has(one) !== false);
}

function toMatch({ user_id: user, operation = '', outcome }: Question): (line: AuditLine) => boolean {
  const words = operation.toLowerCase();
  return (line) =>
    (user === undefined || line.subjects.includes(user)) &&
    line.operation.toLowerCase().includes(words) &&
    (outcome === undefined || (outcome === 'ok') === (line.outcome === 'ok'));
}

/** Shows the newest calls over HTTP. */
export const listActivity = defineOperation({
  name: NAME,
  title: 'List activity',
  description:
    'Lists the newest calls over HTTP, newest first: who called what, about whom, and how it ended; never what was said. A caller without the scope admin sees its own.',
  effect: 'reads',
  scope: 'user',
  subject: { isOptional: true },
  ...contract.list_activity,
  example: {
    input: { user_id: 'ann' },
    output: {
      calls: [
        {
          time: '2026-05-01T10:00:00.000Z',
          who: 'key ann-phone',
          operation: 'recall',
          subjects: ['ann'],
          outcome: 'ok',
        },
      ],
    },
  },
  run: async (question, { deps, principal }: AggregatorContext) => {
    const [isVisible, isMatch] = [toVisible(principal), toMatch(question)];
    // Whoever looks on does not see the looking.
    const lines = await toAccess(deps).activity.list();
    const shown = lines.filter((line) => line.operation !== NAME && isVisible(line) && isMatch(line));
    return { calls: shown.slice(0, question.limit) };
  },
});
