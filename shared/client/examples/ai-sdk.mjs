// The AI SDK with memory: the middleware composes the system prompt and stores the turn, the tools are the model's own.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Contextloom } from '@contextloom/client';
import { aiSdkTools, memoryMiddleware } from '@contextloom/client/ai-sdk';
import { stepCountIs, streamText, wrapLanguageModel } from 'ai';

const { CONTEXTLOOM_URL: url = 'http://127.0.0.1:8010', CONTEXTLOOM_KEY: key } = process.env;
const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey, MODEL = 'gpt-5-mini' } = process.env;
const memory = new Contextloom({ url, key, user: 'ann' });
const provider = createOpenAICompatible({ name: 'any', baseURL, apiKey });
const middleware = memoryMiddleware(memory, { persona_name: 'marlow' });
const model = wrapLanguageModel({ model: provider(MODEL), middleware });

const [, , prompt = 'What do you know about me?'] = process.argv;
const { textStream } = streamText({ model, prompt, tools: aiSdkTools(memory), stopWhen: stepCountIs(5) });
for await (const text of textStream) process.stdout.write(text);
process.stdout.write('\n');
await memory.close();
