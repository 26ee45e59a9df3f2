import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createChatModel, MemoryProcessor } from '../src/index.ts';
import { createKeptMemories } from './support/memory-stores.ts';
import { toAnswerText } from './support/scripted-model.ts';

const endpoints: ScriptedOpenAi[] = [];
afterEach(async () => {
  await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.close()));
});

describe('the library', () => {
  it('has a model draw facts when it is given one', async () => {
    const fact = { content: 'Lin is allergic to peanuts.', importance: 10, evidence: ['1'] };
    const endpoint = await startScriptedOpenAi({ chat: [{ kind: 'answer', text: toAnswerText(fact) }] });
    endpoints.push(endpoint);
    const llm = await createChatModel({ model: 'small', baseUrl: endpoint.url, apiKey: endpoint.apiKey });
    const memories = createKeptMemories();
    const processor = new MemoryProcessor({ llm, memories });
    expect(processor.extractor).toEqual({ kind: 'model', name: 'small' });
    expect(await processor.extractAndRateMemory('Lin: I am allergic to peanuts.')).toEqual({
      summary: 'Lin is allergic to peanuts.',
      importance: 10,
    });
    await processor.processTranscript({ userId: 'lin', conversationHistory: 'Lin: I am allergic to peanuts.' });
    expect([...memories.documents.values()].map(({ metadata }) => metadata['memory_type'])).toEqual([
      'knowledge',
      'episode',
    ]);
  });

  it('works by written rules when it is given none', async () => {
    const processor = new MemoryProcessor({ memories: createKeptMemories() });
    expect(processor.extractor).toEqual({ kind: 'rules', name: 'rules' });
    expect(await processor.saveMemory('lin', 'Lin likes tea.', 5)).toBe(true);
  });
});
