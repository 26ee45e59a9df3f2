import { parseInput } from '@contextloom/contracts';
import { checkExamples } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { routes } from '../../src/build-server.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.remove());

describe('GET /docs', () => {
  it('answers the API reference as an HTML page that loads nothing', async () => {
    const { status, headers, text } = await service.ask('GET', '/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).not.toMatch(/<script|src=|@import|url\(|href="(?!#|\/openapi\.json)/);
  });

  it('shows every route with the fields of its schemas, nested ones by their path', async () => {
    const { text: page } = await service.ask('GET', '/docs');
    for (const { method, path } of routes) {
      expect(page).toContain(`<span class="method">${method}</span> <code>${path}</code>`);
    }
    for (const field of [
      'documents[].content',
      'metadata_filter',
      'results[].document.id',
      'results[].explain.words.score',
      'results[].explain.words.terms',
      'results[].explain.vector.score',
      'results[].explain.neighbours.given',
      'stats.tag_count',
      'user_id',
    ]) {
      expect(page).toContain(`<code>${field}</code>`);
    }
    expect(page).toContain('Most results, 1 to 100. Default: 5.');
  });

  it('shows examples that the service takes and answers', async () => {
    checkExamples(routes);
    for (const { method, path, example, answer } of routes) {
      if (example === undefined) continue;
      const params = new URLSearchParams(example.params as Record<string, string>);
      const address = path.replace(/:(\w+)/g, (_all, name) => params.get(name) ?? '');
      const { status, json } = await service.ask(method.toUpperCase(), `${address}?${params}`, example.body);
      expect([method, path, status]).toEqual([method, path, 200]);
      parseInput(answer, json, [path]);
    }
  });
});

describe('GET /openapi.json', () => {
  it('answers a valid document with every route', async () => {
    const { json } = await service.ask('GET', '/openapi.json');
    expect(Object.values<object>(json.paths).flatMap((path) => Object.keys(path))).toHaveLength(routes.length);
    expect(await new Validator().validate(json)).toEqual({ valid: true });
  });
});
