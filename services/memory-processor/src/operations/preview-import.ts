import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { defineOperation } from '@contextloom/server-kit';
import { findCandidates } from '../imports/ask.ts';
import type { MemoryProcessorContext } from './deps.ts';
import { exampleOrder, toOrder } from './import-fields.ts';

/** Shows what is in a file that was handed in. */
export const previewImport = defineOperation({
  name: 'preview_import',
  title: 'Preview an import',
  description:
    'Shows what is in a file that upload_import took in, and what an import would leave out. Nothing is sent to a model or saved.',
  effect: 'reads',
  requires: 'write',
  scope: 'user',
  ...contract.preview_import,
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
      kept_as_corrected: 0,
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
