import { afterEach, describe, expect, it } from '@jest/globals';
import { type RunningAggregator, startAggregator } from './support/composition.ts';
import { barePersona, knowledgeBase } from './support/scripts.ts';

const found = (id: string, content: string, metadata: object, tags: readonly string[] = ['memory']) => ({
  id,
  content,
  tags,
  metadata: { user_id: 'ann', ...metadata },
  score: 0.5,
});
const episode = (id: string, content: string, metadata: object = {}) =>
  found(id, content, { memory_type: 'episode', ...metadata }, ['memory', 'episode']);

const TALK = episode(
  'talk',
  '[2024-03-01]\nassistant: You told me you live in Oslo.\nuser: I never lived outside of Leith.',
);
const PASTED = episode('pasted', '[2024-03-02]\nuser: Shorten this article: I live in Bergen and fly helicopters.');
const RUMOUR = episode('rumour', '[2024-03-03]\nassistant: You live in Tromso.');
const FACT = found('fact', 'Ann lives in Leith.', { episode: 'other', trust: 'user' });
const GUESS = found('guess', 'Ann lives in Molde.', {
  episode: 'other',
  trust: 'assistant',
  said_by: 'user,assistant',
});
const OLD = found('old', 'Ann lives in Narvik.', { episode: 'elsewhere' });
const NOTE = found('note', 'I live near the harbour of Leith.', {}, ['memory', 'note']);
const PAPER = found('paper', 'Ann lives in Hamar, the register says.', {});
const ALL = [TALK, PASTED, RUMOUR, FACT, GUESS, OLD, NOTE, PAPER];

let running: RunningAggregator | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function build(trust?: readonly string[]) {
  running = await startAggregator({
    servers: { 'persona-uozumi': barePersona(), 'knowledge-base': knowledgeBase({ results: ALL }) },
    aggregator: { source_deadline_ms: 200_000 },
    contextSources: [{ name: 'memories', use: 'memories', ...(trust && { trust }) }],
  });
  const { client } = running;
  const args = { persona_name: 'uozumi', user_id: 'ann', user_query: 'Where do I live?', memory_top_k: 20 };
  const { text, structured } = await client.callTool('build_prompt_with_context', args);
  const { hash } = (structured as { manifest: { hash: string } }).manifest;
  const explained = await client.callTool('explain_prompt', { hash, user_id: 'ann' });
  const { lines, left_out } = explained.structured as {
    lines: { id: string; trust?: string; said_by?: string[] }[];
    left_out: { id: string; reason: string }[];
  };
  const trusts = Object.fromEntries(lines.map(({ id, trust, said_by: by }) => [id, by?.join() ?? trust ?? '']));
  const refused = left_out.filter(({ reason }) => reason === 'not_trusted').map(({ id }) => id);
  return { text, trusts, refused };
}

describe('explain_prompt', () => {
  it('tells who said each line, of what was stored before that was kept too', async () => {
    const { trusts, refused } = await build();
    expect(trusts).toEqual({
      talk: 'user,assistant',
      pasted: 'user,document',
      rumour: 'assistant',
      fact: 'user',
      guess: 'user,assistant',
      old: '',
      note: 'user',
      paper: 'document',
    });
    expect(refused).toEqual([]);
  });
});

describe('a source that lets in what people said', () => {
  it('tells no word of an assistant, of a document, nor of whom nobody knows, and names what it left out', async () => {
    const { text, trusts, refused } = await build(['user', 'other']);
    expect(text).toContain('assistant: …');
    expect(text).toContain('user: I never lived outside of Leith.');
    expect(text).toContain('user: Shorten this article: …');
    for (const place of ['Oslo', 'Bergen', 'Tromso', 'Molde', 'Narvik', 'Hamar']) expect(text).not.toContain(place);
    expect(Object.keys(trusts).sort()).toEqual(['fact', 'note', 'pasted', 'talk']);
    expect(trusts['talk']).toBe('user');
    expect(refused.sort()).toEqual(['guess', 'old', 'paper', 'rumour']);
  });

  it('may let in assistants too', async () => {
    const { text } = await build(['user', 'other', 'assistant']);
    expect([text.includes('Oslo'), text.includes('Molde'), text.includes('Hamar')]).toEqual([true, true, false]);
  });
});
