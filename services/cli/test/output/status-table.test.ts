import { expect, it } from '@jest/globals';
import { renderStatus } from '../../src/output/tables/status-table.ts';
import { createStyle } from '../../src/output/text/style.ts';

const look = { style: createStyle(false), width: 200 };
const jobs = { queued: 3, running: 0, done: 2, failed: 0, dead: 0, cancelled: 0 };
const toTable = (budget: object) => {
  const waiting = { day: '2026-03-02', tokens_used: 1_200, waiting_jobs: 0, ...budget };
  const components = { 'memory-processor': { status: 'running' as const, tools: 20, jobs, budget: waiting } };
  return renderStatus({ service: 'contextloom', status: 'running', components }, look);
};

it('tells what of a budget is used, and how many jobs wait for the next one', () => {
  const next_at = '2026-03-03T00:00:00.000Z';
  const used = '1200 of 1000 tokens today, $0.5000 of $2 today, read on at 2026-03-03T00:00Z';
  const full = { tokens: 1_000, dollars_used: 0.5, dollars: 2, waiting_jobs: 3, next_at };
  expect(toTable(full)).toContain(`3 queued, 2 done, 3 of the queued to be read, ${used}`);
  expect(toTable({ hours: '22-6' })).toMatch(/3 queued, 2 done, 1200 tokens today +│/u);
});
