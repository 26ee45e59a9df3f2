import { z } from 'zod';
import { fromIso, toPartsText } from '../json/json-values.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';
import { isOfClaudeCode } from '../templates/programs.ts';

const lineSchema = z.looseObject({
  type: z.enum(['user', 'assistant']),
  message: z.looseObject({
    role: z.string().optional(),
    model: z.string().nullish(),
    content: z.union([z.string(), z.array(z.unknown())]),
  }),
  sessionId: z.string().nullish(),
  timestamp: z.string().nullish(),
  isMeta: z.boolean().nullish(),
  isSidechain: z.boolean().nullish(),
  isCompactSummary: z.boolean().nullish(),
  isApiErrorMessage: z.boolean().nullish(),
});
const SAID = new Set(['text']);

/** What the program and editors put among the words of the user: `<ide_opened_file>…</ide_opened_file>please go on`. */
const BLOCK_NAMES = 'system-reminder|ide_(?:opened_file|selection|diagnostics)';
const BLOCK = new RegExp(`<(${BLOCK_NAMES})>(?:(?!</?(?:${BLOCK_NAMES})>).)*</\\1>`, 'gsu');
function leaveOut(block: string, at: string, out: Out): string {
  out.leftOut('line of the program or of a helper', at, block);
  return '';
}

/** The model of lines that the program writes in the assistant's name. */
const SYNTHETIC = '<synthetic>';

function readLine(value: Readonly<Record<string, unknown>>, at: string, out: Out) {
  if (value['type'] !== 'user' && value['type'] !== 'assistant')
    return out.leftOut('line that is no message', at, String(value['type'] ?? ''));
  const read = lineSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no message of Claude Code');
  const { type, message, sessionId, timestamp, isMeta, isSidechain } = read.data;
  const { isCompactSummary, isApiErrorMessage } = read.data;
  const isOfProgram = [isMeta, isCompactSummary, isApiErrorMessage, message.model === SYNTHETIC].includes(true);
  if (sessionId != null && isSidechain !== true) out.conversation({ id: `claude-code-${sessionId}` });
  const text = toPartsText(message.content, SAID);
  if (isOfProgram || isSidechain === true) return out.leftOut('line of the program or of a helper', at, text);
  if (text.trim() === '') return out.leftOut('call of a tool, or thought', at, '');
  const isUsers = type === 'user';
  if (isUsers && isOfClaudeCode(text)) return out.leftOut('line of the program or of a helper', at, text);
  const words = isUsers ? text.replace(BLOCK, (block) => leaveOut(block, at, out)).trim() : text;
  out.turn({ role: type, text: words, ...fromIso(timestamp) });
}

/** A session of Claude Code: `~/.claude/projects/<project>/<session>.jsonl`. */
export const claudeCode: Reader = {
  name: 'claude-code',
  title: 'Claude Code session',
  detect: ({ jsonLines = [] }) =>
    jsonLines.some(
      (line) =>
        ('sessionId' in line || 'uuid' in line) &&
        'message' in line &&
        (line['type'] === 'user' || line['type'] === 'assistant'),
    ),
  read: (out) => createJsonLineSink((value, at) => readLine(value, at, out), out),
};
