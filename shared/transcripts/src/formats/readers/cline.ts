import { z } from 'zod';
import { readAssistantMessage } from '../assistant-message.ts';
import { fromInstantText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const messageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().nullish() }))]),
  ts: z.number().nullish(),
});
type Content = z.output<typeof messageSchema>['content'];

/** What the program puts around words of the user, which it sends together with files, results and its surroundings. */
const WRAPPED = /^\s*<(task|feedback|answer|user_message)>/u;
/** Sentences of the program above words of the user. */
const QUOTED =
  /^\s*(?:\[attempt_completion\] Result:\s*)?(?:The user (?:has provided feedback|denied this operation)|\[TASK RESUMPTION\])/u;
const QUOTED_TAG = /<(feedback|user_message)>/u;
/** Calls of tools that stand among the words of an answer. */
const TOOL =
  /^<(execute_command|read_file|write_to_file|replace_in_file|apply_diff|insert_content|search_and_replace|search_files|list_files|list_code_definition_names|codebase_search|browser_action|use_mcp_tool|access_mcp_resource|ask_followup_question|attempt_completion|plan_mode_respond|new_task|switch_mode|update_todo_list)>/mu;
/** What of such a call is said to the user. */
const SAID = ['result', 'question', 'response'];
const THOUGHTS = 'thinking';

/** What stands between the first pair of a tag. */
function between(text: string, tag: string): string | undefined {
  const begin = text.indexOf(`<${tag}>`);
  const end = text.indexOf(`</${tag}>`, begin);
  return begin < 0 || end < 0 ? undefined : text.slice(begin + tag.length + 2, end).trim();
}

const toTexts = (content: Content): readonly string[] =>
  typeof content === 'string' ? [content] : content.map(({ type, text }) => (type === 'text' ? (text ?? '') : ''));

/** What the program writes as a block of the user: where it runs, the head of a result, and orders to the model. */
const OF_PROGRAM =
  /^\s*(?:<environment_details>|\[ERROR\] |\[TASK RESUMPTION\] |\[NOTE\] |The tool execution failed with the following error:|The user denied this operation\.\s*$)/u;
/** `[read_file for 'a.ts'] Result:`; what stands in the block is the result, or that in the next. */
const RESULT = /^\s*\[[a-z_]{3,40}(?: for [^\n]{1,400})?\] Result:/u;

/** The words of the user in a block; undefined when the program wrote it. @param isResult whether the head of a result stands above it */
function toAsked(text: string, isResult: boolean): string | undefined {
  const tag = WRAPPED.exec(text)?.[1] ?? (QUOTED.test(text) ? QUOTED_TAG.exec(text)?.[1] : undefined);
  const words = tag === undefined ? undefined : between(text, tag);
  if (words !== undefined && words !== '') return words;
  const isOfProgram = RESULT.test(text) || QUOTED.test(text) || OF_PROGRAM.test(text);
  return isResult || isOfProgram ? undefined : text.trim();
}

/** The words of an answer without thoughts, and of a call of a tool what is said to the user; a call is a block of its own lines. */
function toAnswered(text: string): readonly string[] {
  const end = text.indexOf(`</${THOUGHTS}>`);
  const hasThoughts = end >= 0 && text.trimStart().startsWith(`<${THOUGHTS}>`);
  let words = hasThoughts ? text.slice(end + THOUGHTS.length + 3) : text;
  const said: string[] = [];
  for (let found = TOOL.exec(words); found !== null; found = TOOL.exec(words)) {
    const [open = '', name = ''] = found;
    const close = `</${name}>`;
    const stop = words.indexOf(close, found.index + open.length);
    if (stop < 0) break;
    const call = words.slice(found.index, stop);
    said.push(words.slice(0, found.index).trim(), ...SAID.flatMap((tag) => between(call, tag) ?? []));
    words = words.slice(stop + close.length);
  }
  return [...said, words.trim()];
}

function readMessage(value: unknown, at: string, out: Out) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no "role" and "content"');
  const { role, content, ts } = read.data;
  const blocks = toTexts(content).filter((block) => block.trim() !== '');
  const texts =
    role === 'user'
      ? blocks.map((block, index) => toAsked(block, RESULT.test(blocks[index - 1] ?? '')))
      : blocks.flatMap(toAnswered);
  texts.forEach((words, index) => {
    if (words === undefined) out.leftOut('line of the program or of a helper', at, blocks[index] ?? '');
  });
  const text = texts.filter((words) => words !== undefined && words !== '').join('\n');
  if (role === 'user' && text === '')
    return out.leftOut('line of the program or of a helper', at, toTexts(content).join('\n'));
  readAssistantMessage({ role, text, ...fromInstantText(ts) }, at, out);
}

const isFirst = (value: unknown): boolean => {
  const read = messageSchema.safeParse(value);
  return read.success && read.data.role === 'user' && toTexts(read.data.content).some((text) => WRAPPED.test(text));
};

/** A session of Cline or Roo Code: `tasks/<id>/api_conversation_history.json`. */
export const cline: Reader = {
  name: 'cline',
  title: 'Cline session',
  detect: ({ json }) => Array.isArray(json) && json.every(isRecord) && isFirst(json[0]),
  read: (out) =>
    createJsonSink(['$.*'], ({ value, path }) => readMessage(value, `message ${Number(path[0]) + 1}`, out)),
};
