// LangChain's tools over the memory: what a model calls, without the model.
import { Contextloom } from '@contextloom/client';
import { langChainTools } from '@contextloom/client/langchain';

const { CONTEXTLOOM_URL: url = 'http://127.0.0.1:8010', CONTEXTLOOM_KEY: key } = process.env;
const memory = new Contextloom({ url, key, user: 'ann' });
const [recall] = langChainTools(memory, { only: ['recall'] });

const [, , query = 'Where do I live?'] = process.argv;
const call = { type: 'tool_call', id: 'call-1', name: recall.name, args: { query } };
const { content } = await recall.invoke(call);
process.stdout.write(`${content}\n`);
await memory.close();
