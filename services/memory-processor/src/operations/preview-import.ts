import { defineOperation } from '@contextloom/server-kit';
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
  input: orderSchema.extend({
    left_out_from: z.int().min(0).default(0).describe('The first line of left_out_lines, from 0.'),
    left_out_limit: z.int().min(1).max(1_000).default(100).describe('How many lines left_out_lines lists.'),
  }),
  output: z.object({
    formats: z.array(z.string()),
    conversations: z.int(),
    titles: z.array(z.string()).describe('What the conversations are called; the first hundred.'),
    turns: z.int(),
    undated_turns: z.int(),
    speakers: z.array(z.object({ name: z.string(), turns: z.int(), is_user: z.boolean() })),
    from: z.string().optional(),
    to: z.string().optional(),
    left_out: z.array(z.object({ what: z.string(), count: z.int() })).describe('How often each reason comes.'),
    left_out_lines: z
      .array(z.object({ place: z.string(), reason: z.string(), text: z.string() }))
      .describe('What is left out, message by message, its first 500 characters.'),
    left_out_count: z.int().describe('How many such lines there are.'),
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
      formats: ['text'],
      conversations: 1,
      titles: [],
      turns: 2,
      undated_turns: 2,
      notes: [],
      who_is_me: false,
      speakers: [{ name: 'user', turns: 2, is_user: true }],
      left_out: [],
      left_out_lines: [],
      left_out_count: 0,
      faults: [],
      fault_count: 0,
      corrected: 0,
      deleted: 0,
    },
  },
  run: async ({ left_out_from: from, left_out_limit: count, ...args }, { deps, signal }: MemoryProcessorContext) => {
    const { previews, estimate } = await deps.imports.preview(toOrder(args), signal, { from, count });
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
