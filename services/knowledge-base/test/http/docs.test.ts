import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { renderApiPage } from '../../src/http/api-page.ts';
import { defineRoute } from '../../src/http/route.ts';
import { routes } from '../../src/http/routes.ts';
import { startService } from '../support/service.ts';

describe('GET /docs', () => {
  it('answers the API reference as an HTML page that loads nothing', async () => {
    const service = await startService();
    const { status, headers, text } = await service.ask('GET', '/docs');
    await service.remove();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).not.toMatch(/<script|src=|href=/);
  });

  it('shows every route with the fields of its schemas, nested ones by their path', () => {
    const page = renderApiPage(routes, '1.2.3');
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
    expect(page).toContain('How many results, 1 to 100. Default: 5.');
  });

  it('escapes what the schemas say', () => {
    const params = z.object({ name: z.string().describe('<b> & "quotes"') });
    const answer = z.object({});
    const route = defineRoute({
      method: 'get',
      path: '/<x>',
      summary: 'S',
      params,
      body: z.unknown(),
      answer,
      run: async () => ({}),
    });
    const page = renderApiPage([route], '0');
    expect(page).toContain('&lt;b&gt; &amp; &quot;quotes&quot;');
    expect(page).toContain('/&lt;x&gt;');
  });
});
