import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { examplesFolder } from '../composition/installation.ts';

const scenarioSchema = z.object({
  language: z.enum(['en', 'zh']),
  user_id: z.string(),
  user_name: z.string(),
  persona: z.string(),
  conversation: z.string(),
  questions: z.array(z.object({ text: z.string(), evidence: z.array(z.string()).min(1) })).min(2),
});

/** The form of a shipped conversation: sessions in order of time, each with its turns. */
export const conversationFileSchema = z.object({
  conversation_id: z.string(),
  sessions: z
    .array(
      z.object({
        date: z.iso.datetime(),
        turns: z.array(z.object({ speaker: z.string(), text: z.string().min(1) })).min(1),
      }),
    )
    .min(1),
});

/** One run of the demo: whose conversation, which persona answers, and questions with words that a right memory contains. */
export interface Scenario extends z.output<typeof scenarioSchema> {
  /** The conversation file, word for word, as it is sent. */
  readonly transcript: string;
  readonly turns: number;
  readonly sessions: number;
  /** ISO 8601 times of the first and the last session. */
  readonly from: string;
  readonly to: string;
}

/** Reads the shipped scenarios and their conversations. */
export async function loadScenarios(folder: URL = examplesFolder): Promise<readonly Scenario[]> {
  const listed = z.array(scenarioSchema).parse(JSON.parse(await readFile(new URL('scenarios.json', folder), 'utf8')));
  return Promise.all(
    listed.map(async (scenario) => {
      const transcript = await readFile(new URL(scenario.conversation, folder), 'utf8');
      const { sessions } = conversationFileSchema.parse(JSON.parse(transcript));
      return {
        ...scenario,
        transcript,
        turns: sessions.reduce((sum, session) => sum + session.turns.length, 0),
        sessions: sessions.length,
        from: sessions[0]?.date ?? '',
        to: sessions.at(-1)?.date ?? '',
      };
    }),
  );
}
