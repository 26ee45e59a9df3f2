import { describe, expect, it } from '@jest/globals';
import {
  analyseByRules,
  MAX_SUMMARY_LENGTH,
  summarizeByRules,
  toSummary,
  toTags,
} from '../../src/domain/ingest/analysis.ts';
import { toMeanVector } from '../../src/domain/ingest/vectors.ts';

describe('what rules say of a memory', () => {
  it('summarises by the first sentences, without Markdown', () => {
    expect(summarizeByRules('# 设计决策\n\n- 选择 pgvector。\n- 团队已有 PostgreSQL。')).toBe(
      '设计决策 选择 pgvector。 团队已有 PostgreSQL。',
    );
    const long = summarizeByRules('The worker drains the queue. '.repeat(100));
    expect(long.length).toBeLessThanOrEqual(MAX_SUMMARY_LENGTH);
    expect(long).toMatch(/\.$/);
  });

  it('keeps a text that is all marks, and cuts no character in two', () => {
    expect(summarizeByRules('---')).toBe('---');
    expect(summarizeByRules('𠮷'.repeat(400))).not.toMatch(/\p{Cs}/u);
  });

  it('leaves out of a summary what no database takes', () => {
    expect(toSummary('Half\0 a\ud800 line,\n\u0007whole.')).toBe('Half a line, whole.');
  });

  it('tags by the words that come most, in Chinese and English', () => {
    expect(
      analyseByRules('缓存失效了，缓存要预热。The cache, the cache again, warm cache.').tags.slice(0, 2).sort(),
    ).toEqual(['cache', '缓存'].sort());
  });

  it.each([
    ['Now we use Fastify for the API, and it works.', ['fastify', 'api']],
    [
      'We moved the API from Fastify to Hono now, since we need it to run on the edge.',
      ['api', 'fastify', 'hono', 'edge'],
    ],
    ['缓存失效的原因是时钟漂移，改用单调时钟后恢复。', ['时钟', '缓存', '失效', '漂移', '单调']],
    ['我们现在使用 pgvector，因为团队已经在用 PostgreSQL。', ['pgvector', 'postgresql', '团队']],
    ['每周五下午发布新版本。', ['下午', '发布', '版本']],
  ])('tags one sentence by what it is about: %s', (sentence, expected) => {
    const { tags } = analyseByRules(sentence);
    expect(tags).toEqual(expect.arrayContaining(expected));
    expect(tags.length).toBeLessThanOrEqual(5);
    expect(tags.filter((tag) => /^(?:now|use|used|works?|need|现在|使用|因为|原因|已经|我们|改用)$/.test(tag))).toEqual(
      [],
    );
  });

  it("takes a model's tags in lower case, each once, at most ten, and adds words where there are too few", () => {
    expect(toTags(['#PG', 'pg', ' Vector ', 'x'.repeat(41), ''], 'alpha beta')).toEqual(['pg', 'vector', 'alpha']);
    expect(
      toTags(
        Array.from({ length: 20 }, (_, at) => `t${at}`),
        'x',
      ),
    ).toHaveLength(10);
  });
});

describe('the mean of vectors', () => {
  it('has length 1, and is none where there is no direction', () => {
    const mean = toMeanVector([Float32Array.of(1, 0), Float32Array.of(0, 1)]) ?? [];
    expect(Math.hypot(...mean)).toBeCloseTo(1);
    expect(toMeanVector([])).toBeUndefined();
    expect(toMeanVector([Float32Array.of(1, 0), Float32Array.of(-1, 0)])).toBeUndefined();
  });
});
