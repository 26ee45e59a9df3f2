import { describe, expect, it } from '@jest/globals';
import { type Addition, addMemory } from '../../src/chat/add-memory.ts';
import type { ChatKind } from '../../src/chat/chat-kind.ts';
import { readChatRequest } from '../../src/chat/chat-request.ts';

const MARK = '"cache_control":{"type":"ephemeral"}';
const BLOCK = { beside: 'B' };

function add(kind: ChatKind, text: string, addition: Addition = BLOCK, url = 'https://gateway.example/v1'): string {
  const { model, newest } = readChatRequest(kind, text) ?? { model: undefined, newest: undefined };
  return addMemory({ kind, text, model, newest, provider: new URL(url), marks: true }, addition);
}

describe("the mark for Anthropic's cache", () => {
  it.each([
    [
      'a string',
      '{"messages":[{"role":"user","content":"Hi"}]}',
      `{"messages":[{"role":"user","content":[{"type":"text","text":"Hi",${MARK}},{"type":"text","text":"B"}]}]}`,
    ],
    [
      'parts',
      '{"messages":[{"content":[{"type":"text","text":"Hi"}, {"type":"image"}],"role":"user"}]}',
      `{"messages":[{"content":[{"type":"text","text":"Hi"}, {${MARK},"type":"image"},{"type":"text","text":"B"}],"role":"user"}]}`,
    ],
  ])('stands at the end of the words of the user, in front of the block: %s', (_name, text, expected) => {
    expect(add('messages', text)).toBe(expected);
  });

  it('stands there without a block too, since the next turn reads what this one wrote', () => {
    const text = '{"messages":[{"role":"user","content":"Hi"}]}';
    expect(add('messages', text, {})).toBe(
      `{"messages":[{"role":"user","content":[{"type":"text","text":"Hi",${MARK}}]}]}`,
    );
  });

  it('stands behind results of tools as well, since the block before them stays with its question', () => {
    const result = '{"type":"tool_result","tool_use_id":"t","content":"7"}';
    const text = `{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use"}]},{"role":"user","content":[${result}]}]}`;
    const written = add('messages', text);
    expect(written.split(MARK)).toHaveLength(3);
    expect(written).toContain(`[{${MARK},${result.slice(1)}]`);
  });

  it.each([
    '{"system":[{"type":"text","text":"S","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"Hi"}]}',
    '{"cache_control":{"type":"ephemeral"},"messages":[{"role":"user","content":"Hi"}]}',
  ])('is the own one of the caller, where there is one: %s', (text) => {
    expect(add('messages', text)).toBe(
      text.replace('"content":"Hi"', '"content":[{"type":"text","text":"Hi"},{"type":"text","text":"B"}]'),
    );
  });

  it.each(['""', '[{"type":"text","text":""}]', '[]'])('is never at an empty text: %s', (content) => {
    const text = `{"messages":[{"role":"user","content":"Hi"},{"role":"user","content":${content}}]}`;
    expect(add('messages', text).split(MARK)).toHaveLength(2);
  });

  it('is never in words that an answer is to begin with', () => {
    const end = ',{"role":"assistant","content":"Well,"}]}';
    const written = add('messages', `{"messages":[{"role":"user","content":"Hi"}${end}`);
    expect(written.endsWith(end)).toBe(true);
  });
});

describe('the mark in chat completions', () => {
  const toText = (model: string) => `{"model":"${model}","messages":[{"role":"user","content":"Hi"}]}`;

  it.each(['anthropic/claude-sonnet-4.5', 'google/gemini-2.5-flash', 'openrouter/anthropic/claude-haiku'])(
    'is set for a model behind a gateway that reads it: %s',
    (model) => expect(add('chat', toText(model))).toContain(`"text":"Hi",${MARK}`),
  );

  it.each([
    ['gpt-5', undefined],
    ['claude-sonnet-4-5', undefined],
    ['openai/gpt-5', undefined],
    ['models/gemini-2.5-flash', undefined],
    ['google/gemini-2.5-flash', 'https://aiplatform.googleapis.com/v1'],
  ])('is not sent to what may refuse it: %s at %s', (model, url) => {
    const written = add('chat', toText(model), BLOCK, url);
    expect(written).toBe(toText(model).replace('"Hi"', '"Hi\\n\\nB"'));
  });
});
