import {
  type DocumentInput,
  type ExportPage,
  type ImportReport,
  type KnowledgeBase,
  searchRequestSchema,
} from '@contextloom/contracts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { DescribeEngine } from './support/engines.ts';
import type { TemporaryKnowledgeBase } from './support/service.ts';

/** A document of a user, or of nobody. Some have long metadata, so that an export has several pages; some come together in time. */
export const toDocument = (user: string | undefined, at: number): DocumentInput => ({
  doc_id: `${user}-${at}`,
  content: `${user} walked along quay ${at % 7} 码头 ${'and on '.repeat(at % 3)}`,
  tags: at % 2 === 0 ? ['memory'] : [],
  metadata: {
    importance: at % 10,
    occurred_at: `2026-01-${10 + (at % 15)}`,
    ...(user !== undefined && { user_id: user }),
    ...(at % 20 === 0 && { map: '#'.repeat(400_000) }),
  },
  ...(at % 5 === 0 && { keys: [`the ${at}th walk`] }),
});

/** Sixty documents of ann's, sixty of bob's, and one of nobody. */
export async function fill({ knowledgeBase }: Pick<TemporaryKnowledgeBase, 'knowledgeBase'>): Promise<void> {
  const documents = Array.from({ length: 60 }, (_, at) => [toDocument('ann', at), toDocument('bob', at)]).flat();
  for (let from = 0; from < 120; from += 40) await knowledgeBase.add(documents.slice(from, from + 40));
  await knowledgeBase.add([toDocument(undefined, 0)]);
  await knowledgeBase.update({ id: 'ann-3', userId: 'ann' }, { content: 'ann stayed at home' });
}

/** What ann finds in thirty searches. */
export const searchesOf = ({ knowledgeBase }: Pick<TemporaryKnowledgeBase, 'knowledgeBase'>) =>
  Promise.all(
    Array.from({ length: 30 }, (_, at) => `walk ${at} along quay ${at % 7} 码头`).map((query) =>
      knowledgeBase.search(searchRequestSchema.parse({ query, user_id: 'ann', top_k: 10 })),
    ),
  );

async function exportPages(source: Pick<KnowledgeBase, 'exportUser'>): Promise<readonly ExportPage[]> {
  const pages = [await source.exportUser('ann')];
  for (let cursor = pages[0]?.next_cursor; cursor !== undefined; cursor = pages.at(-1)?.next_cursor)
    pages.push(await source.exportUser('ann', cursor));
  return pages;
}

async function importPages(
  target: Pick<KnowledgeBase, 'importUser'>,
  pages: readonly ExportPage[],
): Promise<Omit<ImportReport, 'refused'>> {
  const sum = { imported: 0, known: 0, refused_count: 0 };
  for (const { lines } of pages) {
    const { imported, known, refused_count } = await target.importUser('ann', lines.trimEnd().split('\n'));
    sum.imported += imported;
    sum.known += known;
    sum.refused_count += refused_count;
  }
  return sum;
}

/** What moving a user comes to in every store; both sides may be reached in their own way. */
export async function expectMoved(
  source: TemporaryKnowledgeBase,
  target: TemporaryKnowledgeBase,
  through: KnowledgeBase = target.knowledgeBase,
): Promise<void> {
  const pages = await exportPages(source.knowledgeBase);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.map(({ lines }) => lines).join('')).not.toContain('bob');
  expect(await importPages(through, pages)).toEqual({ imported: 60, known: 0, refused_count: 0 });
  expect(await importPages(through, pages)).toEqual({ imported: 0, known: 60, refused_count: 0 });
  const address = { id: 'ann-3', userId: 'ann' };
  expect(await target.knowledgeBase.get(address)).toEqual(await source.knowledgeBase.get(address));
  // A document of no user is found by every user, and is in no user's export.
  await target.knowledgeBase.add([toDocument(undefined, 0)]);
  expect(await searchesOf(target)).toEqual(await searchesOf(source));
  const { users } = await through.users({ limit: 10 });
  expect(users).toEqual([{ user_id: 'ann', counts: [{ what: 'documents', count: 60 }] }]);
}

/** Runs it over one kind of store. */
export const describeArchive = (describeEngine: DescribeEngine): void =>
  describeEngine('a user who moves to another knowledge base', ({ open }) => {
    let source: TemporaryKnowledgeBase;
    let target: TemporaryKnowledgeBase;
    beforeEach(async () => {
      source = await open();
      target = await open();
      await fill(source);
    });
    afterEach(async () => {
      await source.remove();
      await target.remove();
    });

    it('has the same ids, versions and searches there', async () => {
      await expectMoved(source, target);
    });
  });
