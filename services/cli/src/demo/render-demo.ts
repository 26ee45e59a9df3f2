import { describeExtractor } from '../output/extractor.ts';
import type { Look } from '../output/print.ts';
import { renderMemories, toDay } from '../output/tables/memory-table.ts';
import { toPlainText } from '../output/text/plain.ts';
import { wrapAtSpaces, wrapIndented } from '../output/text/text-width.ts';
import { type AnsweredQuestion, type DemoReport, fromEvidence, type StoredConversation } from './report.ts';

const LINES_A_MEMORY = 3;
/** How much of a persona is shown unless all is requested, in lines as wide as the output. */
const PERSONA_LINES = 6;
/** What stands between the memories and the persona in a prompt. */
const SEPARATOR = '\n\n---\n\n';

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

function heading(text: string, { style, width }: Look): string {
  return `\n${style.accent('━'.repeat(3))} ${style.strong(text)} ${style.accent('━'.repeat(Math.max(0, width - text.length - 5)))}\n`;
}

function renderConversation(stored: StoredConversation, look: Look): string[] {
  const { style, width } = look;
  const { user_id, conversation, turns, sessions, from, to, memories, memories_saved, duration_ms } = stored;
  const what = `${turns} turns on ${sessions} dates, ${toDay(from)} to ${toDay(to)}`;
  return [
    ...wrapAtSpaces(`${style.strong(user_id)}  ${conversation}: ${what}`, width),
    ...wrapAtSpaces(
      `became ${style.strong(`${memories_saved} memories`)} in ${seconds(duration_ms)}; the ${memories.length} most important:`,
      width,
    ),
    renderMemories(memories, look, LINES_A_MEMORY),
    '',
  ];
}

function renderQuestion(answered: AnsweredQuestion, look: Look): string[] {
  const { style } = look;
  const { user_id, question, evidence, found, duration_ms } = answered;
  const memories = answered.memories.map((memory) => ({ ...memory, content: fromEvidence(memory.content, evidence) }));
  const verdict = found ? style.good('✓ the answer is among them') : style.bad('✗ the answer is not among them');
  return [
    ...wrapAtSpaces(`${style.strong(user_id)} asks: ${style.accent(question)}`, look.width),
    renderMemories(memories, look, LINES_A_MEMORY),
    `${verdict} ${style.faint(`(${seconds(duration_ms)})`)}`,
    '',
  ];
}

function renderPrompt(answered: AnsweredQuestion, look: Look, full: boolean): string[] {
  const { style, width } = look;
  const { prompt, persona, user_id, question, prompt_duration_ms } = answered;
  const text = toPlainText(prompt.prompt);
  const at = text.indexOf(SEPARATOR);
  const memoryPart = at === -1 ? '' : text.slice(0, at + SEPARATOR.length);
  const personaLines = wrapIndented(text.slice(memoryPart.length), width - 2);
  const shown = full ? personaLines : personaLines.slice(0, PERSONA_LINES);
  const left = personaLines.length - shown.length;
  return [
    ...wrapAtSpaces(
      `${style.strong(persona)} for ${style.strong(user_id)}: ${style.accent(question)} ${style.faint(`(${seconds(prompt_duration_ms)})`)}`,
      width,
    ),
    ...[...wrapIndented(memoryPart.trimEnd(), width - 2), ''].map((line) => `${style.accent('│')} ${line}`.trimEnd()),
    ...shown.map((line) => `${style.accent('│')} ${line === '' ? '' : style.faint(line)}`.trimEnd()),
    ...(left === 0 ? [] : [style.faint(`… and ${left} more lines of the persona (--full shows them)`)]),
    '',
  ];
}

/** The first question of each user: one prompt a language is enough to see. */
function firstOfEach(questions: readonly AnsweredQuestion[]): readonly AnsweredQuestion[] {
  return questions.filter((one, index) => questions.findIndex((other) => other.user_id === one.user_id) === index);
}

/** The demo's report for people: memories, what questions find, final prompts, and who made what. */
export function renderDemo(report: DemoReport, look: Look, full: boolean): readonly string[] {
  const extractors = [...new Set(report.conversations.map((stored) => describeExtractor(stored.extractor)))].join(', ');
  const prompts = full ? report.questions : firstOfEach(report.questions);
  const folder = report.kept
    ? `The data was kept in ${report.folder}.`
    : 'The data folder was removed (--keep leaves it).';
  return [
    heading('1. Conversations become memories', look),
    ...report.conversations.flatMap((stored) => renderConversation(stored, look)),
    ...wrapAtSpaces(
      `Extractor: ${extractors}. Embedder: ${report.embedder}. No model, no key, nothing downloaded.`,
      look.width,
    ),
    heading('2. Questions find them again', look),
    ...report.questions.flatMap((answered) => renderQuestion(answered, look)),
    heading('3. The persona gets them in its system prompt', look),
    ...prompts.flatMap((answered) => renderPrompt(answered, look, full)),
    ...wrapAtSpaces(`Done in ${seconds(report.duration_ms)}. ${folder}`, look.width),
  ];
}
