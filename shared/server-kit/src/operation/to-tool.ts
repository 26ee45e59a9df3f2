import type { Tool } from '../tool/tool.ts';
import { toAnnotations } from './effect.ts';
import type { Operation } from './operation.ts';

/** An operation as an MCP tool: its answer is checked, and sent as text and as data. */
export function toTool<Deps>(operation: Operation<Deps>): Tool<Deps> {
  const { name, title, description, input, output, effect, hints, toText, requires, subject, bound } = operation;
  return {
    name,
    title,
    description,
    input,
    output,
    requires,
    subject,
    bound,
    annotations: toAnnotations(effect, hints),
    invoke: async (args, deps, call) => {
      const answer = output.parse(await operation.call(args, { ...call, deps }));
      return { text: toText === undefined ? JSON.stringify(answer, null, 2) : toText(answer), structured: answer };
    },
  };
}
