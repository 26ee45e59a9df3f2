import type { Language } from '@contextloom/contracts';
import { readingWordsOf } from '@contextloom/languages/reading';
import type { PromptMessage } from './extraction-prompt.ts';

/** Names the instructions of all languages in every decision; it changes when they do. */
export const DECISION_PROMPT_VERSION = 'decision-1';

/** A statement with its number, from 1. */
export interface NumberedStatement {
  readonly text: string;
  /** ISO 8601. */
  readonly saidAt: string;
}

/** The messages that ask a model how new statements stand to earlier ones. */
export function toDecisionMessages(
  statements: readonly NumberedStatement[],
  firstNew: number,
  language: Language,
): readonly PromptMessage[] {
  const { instructions, newStatement } = readingWordsOf(language).decisions;
  const lines = statements.map(({ text, saidAt }, at) => {
    const isNew = at >= firstNew ? `${newStatement} ` : '';
    return `${at + 1}. ${isNew}[${saidAt.slice(0, 10)}] ${text.replace(/\s*\n\s*/gu, ' / ')}`;
  });
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: lines.join('\n') },
  ];
}
