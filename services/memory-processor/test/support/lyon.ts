import type { Step } from '@contextloom/testing/llm';
import { toAnswerText, toMemory } from './scripted-model.ts';

/** A conversation with two facts. */
export const HISTORY = `# 2024-03-05
Anna: I moved to Lyon yesterday with my dog Rex.
Ben: Wow! How many rooms?
Anna: Three. And I start at the hospital on Monday.
Ben: Good luck!`;
export const lyon = { content: 'Anna moved to Lyon on 4 March 2024 with her dog Rex.', evidence: ['1'] };
export const work = { content: 'Anna starts at the hospital on Monday, 11 March 2024.', evidence: ['3'] };
/** The facts as a model writes them, and the answer with both. */
export const facts = [toMemory(lyon), toMemory(work)];
export const both = toAnswerText(lyon, work);

/** An answer of a model: words, or anything as JSON. */
export const say = (value: unknown): Step => ({
  kind: 'answer',
  text: typeof value === 'string' ? value : JSON.stringify(value),
});
