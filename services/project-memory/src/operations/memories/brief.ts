import { projectMemory as contract } from '@contextloom/contracts/project-memory';
import { countTokens } from '@contextloom/llm';
import { toBriefLine, toBriefText } from '@contextloom/retrieval/statements';
import { defineOperation } from '@contextloom/server-kit';
import { requireProjectKey } from '../../domain/project.ts';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { projectSubject } from '../subject.ts';

const toDay = (ts: number): string => new Date(ts * 1_000).toISOString().slice(0, 10);

/** What an agent reads first. */
export const brief = defineOperation({
  name: 'mem.brief',
  title: 'Get the brief of a project',
  description:
    'What to know before work on a project begins: rules, decisions, what is open and what was done last, each with its date and id, in at most 400 tokens. What was replaced is left out. mem.get reads the whole of one; mem.search finds more.',
  effect: 'reads',
  scope: 'project',
  subject: projectSubject,
  ...contract['mem.brief'],
  example: {
    input: { project_key: 'agent-mem' },
    output: {
      text: '# agent-mem: what earlier sessions left (Contextloom)\nRules:\n- Never push to main directly. (2026-11-20 mem_1f0c3a9b)',
      counts: { rule: 1, decision: 0, open: 0, state: 0 },
    },
  },
  route: {
    method: 'get',
    path: '/memories/brief',
    summary: 'What to know before work on a project begins.',
    errors: ['invalid', 'forbidden', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ owner_id, max_tokens, include_items, ...project }, context: ProjectMemoryContext) => {
    requireProjectKey(project);
    const memory = await openFor({ owner_id }, context);
    const { items, counts } = await memory.brief(project);
    const lines = items.map((item) => {
      const source = `${toDay(item.ts)} ${item.id}`;
      return { ...item, source, tokens: countTokens(`${toBriefLine(item.text, source)}\n`) };
    });
    const name = project.project_name ?? project.project_key ?? project.project_path ?? '';
    return {
      text: toBriefText({ project: name, lines, counts }, max_tokens),
      counts,
      ...(include_items && {
        items: lines.map(({ source: _, endsAt, ...item }) => ({
          ...item,
          ...(endsAt !== undefined && { expires_at: new Date(endsAt).toISOString() }),
        })),
      }),
    };
  },
});
