import type { AuditLine, Principal } from '@contextloom/access';
import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { type AggregatorContext, toAccess } from '../deps.ts';

const NAME = 'list_activity';
const MAX_LENGTH = 256;

const inputSchema = z.object({
  user_id: userIdSchema.optional().describe('Only calls about this user.'),
  operation: z.string().max(MAX_LENGTH).optional().describe('Only calls whose operation has these characters.'),
  outcome: z.enum(['ok', 'failed']).optional(),
  limit: z.int().min(1).max(500).default(100),
});
type Question = z.output<typeof inputSchema>;

const lineSchema = z.object({
  time: z.string(),
  who: z.string().describe('The key or the account that called.'),
  operation: z.string(),
  subjects: z.array(z.string()).describe('The users or projects that it was about.'),
  outcome: z.string().describe('"ok", or the code of the error.'),
});

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
  input: inputSchema,
  output: z.object({ calls: z.array(lineSchema) }),
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
  run: (question, { deps, principal }: AggregatorContext) => {
    const [isVisible, isMatch] = [toVisible(principal), toMatch(question)];
    // Whoever looks on does not see the looking.
    const shown = toAccess(deps)
      .activity.list()
      .filter((line) => line.operation !== NAME && isVisible(line) && isMatch(line));
    return { calls: shown.slice(0, question.limit) };
  },
});
