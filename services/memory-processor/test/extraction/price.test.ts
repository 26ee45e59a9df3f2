import { describe, expect, it } from '@jest/globals';
import { createPrice } from '../../src/extraction/price.ts';

const usage = { calls: 10, inputTokens: 1_000_000, outputTokens: 100_000 };

describe('the price of a run', () => {
  it("is by the user's own prices where they are given", () => {
    const price = createPrice({ model: 'x', baseUrl: 'http://127.0.0.1:1/v1', inputPrice: 2, outputPrice: 10 });
    expect(price(usage)).toEqual({ usd: 3, basis: 'by LLM_INPUT_PRICE and LLM_OUTPUT_PRICE' });
  });

  it.each([
    ['gpt-4.1-mini', undefined, /OpenAI/],
    ['deepseek-chat', 'https://api.deepseek.com/v1', /Deepseek/i],
  ])('of %s at %s is by its list price', (model, baseUrl, provider) => {
    const { usd, basis } = createPrice({ model, baseUrl })(usage);
    expect(usd).toBeGreaterThan(0);
    expect(basis).toMatch(provider);
  });

  it.each([
    ['gpt-4.1-mini', 'http://127.0.0.1:11434/v1'],
    ['gpt-4.1-mini', 'http://localhost:8080/v1'],
    ['my-own', 'https://models.example.org/v1'],
    ['no-such-model', undefined],
  ])('of %s at %s is not known, and it says what would tell', (model, baseUrl) => {
    expect(createPrice({ model, baseUrl })(usage)).toEqual({ basis: expect.stringContaining('LLM_INPUT_PRICE') });
  });
});
