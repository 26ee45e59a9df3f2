import { defineOperation } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { findCandidates } from '../imports/ask.ts';
import type { MemoryProcessorContext } from './deps.ts';
import { exampleOrder, orderSchema, toOrder } from './import-fields.ts';

/** Shows what is in a file that was handed in. */
export const previewImport = defineOperation({
  name: 'preview_import',
  title: 'Look into a file of conversations',
  description:
    'Shows what is in a file that upload_import took in, and what an import would leave out. Nothing is sent to a model or saved.',
  effect: 'reads',
  requires: 'write',
  scope: 'user',
  input: orderSchema,
  output: z.object({
    formats: z.array(z.string()),
    conversations: z.int(),
    turns: z.int(),
    undated_turns: z.int(),
    speakers: z.array(z.object({ name: z.string(), turns: z.int(), is_user: z.boolean() })),
    from: z.string().optional(),
    to: z.string().optional(),
    left_out: z.array(z.object({ what: z.string(), count: z.int() })),
    corrected: z.int().describe('Memories that stay as the user corrected them.'),
    deleted: z.int().describe('Memories that are left out since the user deleted them.'),
    faults: z.array(z.object({ place: z.string(), reason: z.string() })),
    fault_count: z.int(),
    notes: z.array(z.string()),
    who_is_me: z.boolean().describe('Whether nobody in it is taken for the user: me says who is.'),
    estimated_calls: z.int().optional().describe('Calls of a model that it would take; absent without a model.'),
  }),
  example: {
    input: exampleOrder,
    output: {
      ...{ formats: ['text'], conversations: 1, turns: 2, undated_turns: 2, notes: [], who_is_me: false },
      ...{ speakers: [{ name: 'user', turns: 2, is_user: true }], left_out: [], faults: [], fault_count: 0 },
      ...{ corrected: 0, deleted: 0 },
    },
  },
  run: async (args, { deps, signal }: MemoryProcessorContext) => {
    const { previews, estimate } = await deps.imports.preview(toOrder(args), signal);
    const [found] = previews;
    if (found === undefined) throw new Error('a file has one preview');
    const { source: _source, encodings: _encodings, graph: _graph, left_out, ...shown } = found;
    return {
      ...shown,
      left_out: Object.entries(left_out).map(([what, count]) => ({ what, count })),
      who_is_me: findCandidates(previews) !== undefined,
      ...(estimate !== undefined && { estimated_calls: estimate.calls }),
    };
  },
});
