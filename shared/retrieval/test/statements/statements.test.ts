import { describe, expect, it } from '@jest/globals';
import { isReplacedBy, splitStatement, toCompared } from '../../src/statements/index.ts';

const kindsOf = (sentence: string, words: 'demanded' | 'strict' = 'demanded') =>
  splitStatement(sentence, words).map(({ kind, text }) => `${kind}: ${text}`);

describe('what a sentence states', () => {
  it.each([
    [
      'Never push to main directly, and we use Fastify now.',
      ['rule: Never push to main directly', 'decision: we use Fastify now.'],
    ],
    [
      'We decided to go with Hono, but never import express again.',
      ['decision: We decided to go with Hono', 'rule: never import express again.'],
    ],
    ['提交前必须跑测试，并且我们改用 Hono。', ['rule: 提交前必须跑测试', 'decision: 我们改用 Hono。']],
    [
      '我们决定改用 SQLite；不要改动 migrations 目录。',
      ['decision: 我们决定改用 SQLite', 'rule: 不要改动 migrations 目录。'],
    ],
    ['Never log emails, names, or addresses.', ['rule: Never log emails, names, or addresses.']],
    [
      'We decided that amounts must always be integer cents.',
      ['rule: We decided that amounts must always be integer cents.'],
    ],
    [
      'We decided on Postgres, because one service less has to run.',
      ['decision: We decided on Postgres, because one service less has to run.'],
    ],
    ['TODO: the refund endpoint.', ['open: TODO: the refund endpoint.']],
    ['The page has three columns.', ['other: The page has three columns.']],
  ])('%s', (sentence, kinds) => {
    expect(kindsOf(sentence)).toEqual(kinds);
  });

  it('is a rule of an assistant only in words that can be nothing else', () => {
    expect(kindsOf('It never worked on Windows.', 'strict')).toEqual(['other: It never worked on Windows.']);
    expect(kindsOf('Never call the API from a worker.', 'strict')).toEqual(['rule: Never call the API from a worker.']);
  });
});

type Kind = 'rule' | 'decision' | 'open' | 'other';
const isReplaced = (earlier: readonly [Kind, string], later: readonly [Kind, string]) =>
  isReplacedBy(toCompared(...earlier), toCompared(...later));

describe('a statement', () => {
  it.each<[readonly [Kind, string], readonly [Kind, string]]>([
    [
      ['decision', 'We use Redis for the queue.'],
      ['decision', 'We keep the queue in Postgres instead of Redis.'],
    ],
    [
      ['decision', 'We decided on Fastify for the HTTP server.'],
      ['decision', 'Moved from Fastify to Hono since it is faster.'],
    ],
    [
      ['decision', 'We decided on Fastify for the HTTP server.'],
      ['decision', 'We use Hono for the HTTP server now.'],
    ],
    [
      ['decision', 'The queue lives in Redis.'],
      ['decision', 'Redis was replaced by Valkey for the queue.'],
    ],
    [
      ['decision', '缓存用 Redis。'],
      ['decision', '缓存从 Redis 换成 Valkey。'],
    ],
    [
      ['decision', '队列使用 RabbitMQ。'],
      ['decision', '不再使用 RabbitMQ，改用 Postgres。'],
    ],
    [
      ['rule', 'Coverage must be at least 80 percent.'],
      ['rule', 'Coverage must be at least 90 percent.'],
    ],
    [
      ['rule', 'Always squash commits.'],
      ['rule', 'Never squash commits.'],
    ],
    [
      ['rule', 'Never push to main directly.'],
      ['other', 'Pushing to main directly is allowed again.'],
    ],
    [
      ['open', 'TODO: the refund endpoint is still missing.'],
      ['other', 'The refund endpoint is implemented.'],
    ],
    [
      ['open', '退款接口还没做。'],
      ['other', '退款接口已完成。'],
    ],
  ])('%j is replaced by %j', (earlier, later) => {
    expect(isReplaced(earlier, later)).toBe(true);
  });

  it.each<[readonly [Kind, string], readonly [Kind, string]]>([
    [
      ['decision', 'We keep the queue in Postgres instead of Redis.'],
      ['decision', 'We switched the cache from Redis to Valkey.'],
    ],
    [
      ['decision', 'We use Redis for user sessions.'],
      ['decision', 'We switched the page cache from Redis to Valkey.'],
    ],
    [
      ['decision', 'We decided to use Postgres for orders.'],
      ['decision', 'We now use Postgres for invoices.'],
    ],
    [
      ['decision', 'We use Postgres because Redis lost jobs.'],
      ['decision', 'We dropped Redis.'],
    ],
    [
      ['rule', 'Never push to main directly.'],
      ['decision', 'We moved from main to trunk-based work now.'],
    ],
    [
      ['rule', 'Never use Node 16.'],
      ['rule', 'Never use Node 18.'],
    ],
    [
      ['rule', 'Never import lodash in src/ui.'],
      ['rule', 'Never import lodash in src/api.'],
    ],
    [
      ['open', 'TODO: the refund endpoint is still missing.'],
      ['other', 'The login page is implemented.'],
    ],
  ])('%j is not replaced by %j', (earlier, later) => {
    expect(isReplaced(earlier, later)).toBe(false);
  });
});
