// A chat with memory at any OpenAI-compatible endpoint: reads lines, answers each. OPENAI_BASE_URL and OPENAI_API_KEY say where.
import { createInterface } from 'node:readline/promises';
import { Contextloom } from '@contextloom/client';
import { openAiTools } from '@contextloom/client/openai';
import OpenAI from 'openai';

const {
  CONTEXTLOOM_URL: url = 'http://127.0.0.1:8010',
  CONTEXTLOOM_KEY: key,
  MODEL: model = 'gpt-5-mini',
} = process.env;
const memory = new Contextloom({ url, key, user: 'ann' });
const openai = new OpenAI();
const conversation = [];

for await (const line of createInterface({ input: process.stdin })) {
  // What is remembered of Ann and fits what she says now, in front of who speaks with her.
  const { prompt } = await memory.prompt({ persona_name: 'marlow', user_query: line, conversation });
  conversation.push({ role: 'user', content: line });

  // The model may remember, recall, correct and forget by itself.
  const messages = [{ role: 'system', content: prompt }, ...conversation];
  const answer = await openai.chat.completions.runTools({ model, messages, tools: openAiTools(memory) }).finalContent();
  conversation.push({ role: 'assistant', content: answer });
  process.stdout.write(`${answer}\n`);

  // Of a conversation that it knows, the memory takes what is new.
  await memory.store(conversation);
}
await memory.close();
