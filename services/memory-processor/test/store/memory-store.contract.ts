import { describe, expect, it } from '@jest/globals';
import type { MemoryDocument, MemoryStore } from '../../src/domain/memory-store.ts';

/** A memory of a transcript, the n-th of it. */
export function toMemoryDocument(
  userId: string,
  transcript: string,
  n: number,
  content = `memory ${n}`,
): MemoryDocument {
  return {
    doc_id: `${userId}-${transcript}-${n}`,
    content,
    tags: ['memory', 'episode'],
    metadata: { user_id: userId, transcript, importance: 5, memory_type: 'episode', extractor: 'rules' },
  };
}

/** What every adapter must do, over a knowledge base that is real. Each test uses users of its own. */
export function describeMemoryStore(name: string, get: () => MemoryStore): void {
  describe(name, () => {
    it('has nothing of a transcript that was never saved', async () => {
      expect(await get().listRecorded('nobody', 't')).toEqual(new Map());
    });

    it('finds what was saved, word for word, with who made it', async () => {
      const content = '[2024-03-05]\n小明: 我对花生过敏。\r\nAnna: "Noted" {{x}} $& 👍';
      const nothing = {
        extractor: 'rules',
        leftOut: 0,
        hasFailed: false,
        episode: undefined,
        facts: undefined,
        keys: [],
        session: undefined,
        position: undefined,
        calledAt: undefined,
      };
      const plain = toMemoryDocument('words', 't', 1, content);
      await get().save([
        plain,
        {
          ...plain,
          doc_id: 'x',
          keys: ['a key'],
          metadata: {
            ...plain.metadata,
            left_out: 2,
            extraction_failure: 'why',
            episode: 'e',
            facts: 3,
            session: 's',
            position: 4,
            occurred_at: '2024-05-01T09:00:00.000Z',
            occurred_at_source: 'call',
          },
        },
      ]);
      const recorded = await get().listRecorded('words', 't');
      const withoutMetadata = [...recorded].map(([id, { metadata: _, ...one }]) => [id, one] as const);
      expect(new Map(withoutMetadata)).toEqual(
        new Map([
          ['words-t-1', { ...nothing, content }],
          [
            'x',
            {
              content,
              extractor: 'rules',
              leftOut: 2,
              hasFailed: true,
              episode: 'e',
              facts: 3,
              keys: ['a key'],
              session: 's',
              position: 4,
              calledAt: '2024-05-01T09:00:00.000Z',
            },
          ],
        ]),
      );
    });

    it('finds the conversations of one user that begin alike', async () => {
      const opening = (userId: string, transcript: string, head?: string) => {
        const document = toMemoryDocument(userId, transcript, 1, `opening of ${transcript}`);
        return { ...document, metadata: { ...document.metadata, ...(head !== undefined && { head }) } };
      };
      await get().save([
        opening('kim', 'a', 'hi'),
        opening('kim', 'b', 'hi'),
        opening('kim', 'c', 'hey'),
        opening('kim', 'd'),
      ]);
      await get().save([opening('lou', 'e', 'hi')]);
      const openings = await get().listOpenings('kim', 'hi');
      expect([...openings].sort((a, b) => (a.transcript < b.transcript ? -1 : 1))).toEqual(
        ['a', 'b'].map((transcript) => ({ transcript, content: `opening of ${transcript}`, isCorrected: false })),
      );
      expect(await get().listOpenings('kim', 'nothing')).toEqual([]);
    });

    it('replaces what is saved under the same id', async () => {
      await get().save([toMemoryDocument('twice', 't', 1)]);
      await get().save([toMemoryDocument('twice', 't', 1, 'longer')]);
      expect([...(await get().listRecorded('twice', 't')).values()].map(({ content }) => content)).toEqual(['longer']);
    });

    it('keeps users and transcripts apart', async () => {
      await get().save([toMemoryDocument('ann', 'a', 1), toMemoryDocument('ann', 'b', 1)]);
      await get().save([toMemoryDocument('bob', 'a', 1)]);
      expect([...(await get().listRecorded('ann', 'a')).keys()]).toEqual(['ann-a-1']);
      expect([...(await get().listRecorded('bob', 'b')).keys()]).toEqual([]);
    });

    it('finds all of a transcript, however long', async () => {
      const documents = Array.from({ length: 430 }, (_, n) => toMemoryDocument('long', 't', n));
      for (let at = 0; at < documents.length; at += 100) await get().save(documents.slice(at, at + 100));
      expect((await get().listRecorded('long', 't')).size).toBe(430);
    });

    it('takes for facts what it knows the type of: no episode, and nothing that another program keeps', async () => {
      const toTyped = (n: number, type: string) => {
        const { metadata, ...document } = toMemoryDocument('typed', 't', n, 'likes tea');
        return { ...document, tags: ['memory'], metadata: { ...metadata, memory_type: type } };
      };
      await get().save([toTyped(1, 'preference'), toTyped(2, 'core'), toTyped(3, 'episode')]);
      expect((await get().listFacts('typed')).map(({ doc_id }) => doc_id)).toEqual(['typed-t-1']);
      expect((await get().findNear('typed', 'tea', 5)).map(({ doc_id }) => doc_id)).toEqual(['typed-t-1']);
    });

    it('shows what is near though it fits little', async () => {
      const texts = ['Ann lives in Leeds', 'Ann has lived in a small red house by the harbour of Leith since May'];
      const facts = texts.map((content, at) => {
        const { metadata, ...document } = toMemoryDocument('far', 't', at, content);
        return { ...document, tags: ['memory'], metadata: { ...metadata, memory_type: 'preference' } };
      });
      await get().save(facts);
      const near = await get().findNear('far', texts[1] ?? '', 5);
      expect(near.map(({ doc_id }) => doc_id)).toEqual(['far-t-1', 'far-t-0']);
    });

    it('shows what is near without its keys', async () => {
      const { metadata, ...document } = toMemoryDocument('near', 't', 1, 'likes tea');
      const fact = { ...document, tags: ['memory'], metadata: { ...metadata, memory_type: 'preference' } };
      await get().save([{ ...fact, keys: ['drinks it daily'] }]);
      expect(await get().findNear('near', 'tea', 5)).toEqual([fact]);
      expect((await get().get('near', 'near-t-1'))?.keys).toEqual(['drinks it daily']);
    });

    it('forgets what it is told to, of that user alone', async () => {
      await get().save([1, 2, 3].map((n) => toMemoryDocument('forgetful', 't', n)));
      await get().save([toMemoryDocument('other', 't', 1)]);
      await get().forget('forgetful', ['forgetful-t-1', 'other-t-1', 'forgetful-t-3']);
      expect([...(await get().listRecorded('forgetful', 't')).keys()]).toEqual(['forgetful-t-2']);
      expect([...(await get().listRecorded('other', 't')).keys()]).toEqual(['other-t-1']);
    });

    it('takes what is gone already as forgotten, and goes on with the rest (original fault: threw over MCP)', async () => {
      await get().save([1, 2].map((n) => toMemoryDocument('gone', 't', n)));
      await get().forget('gone', ['gone-t-1']);
      await expect(get().forget('gone', ['gone-t-1', 'never-there', 'gone-t-2'])).resolves.toBeUndefined();
      expect([...(await get().listRecorded('gone', 't')).keys()]).toEqual([]);
    });

    it('refuses a batch with a wrong memory as a whole, in the words of the knowledge base', async () => {
      const wrong = { ...toMemoryDocument('wrong', 't', 2), content: '' };
      const saving = get().save([toMemoryDocument('wrong', 't', 1), wrong]);
      const refusal = { name: 'ContextloomError', code: 'invalid', field: expect.stringContaining('content') };
      await expect(saving).rejects.toMatchObject(refusal);
      await expect(saving).rejects.toThrow(/content must /u);
      expect((await get().listRecorded('wrong', 't')).size).toBe(0);
    });

    it('says that an id is taken', async () => {
      await get().save([toMemoryDocument('first', 't', 1)]);
      const { doc_id } = toMemoryDocument('first', 't', 1);
      const saving = get().save([{ ...toMemoryDocument('second', 't', 1), doc_id }]);
      await expect(saving).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(doc_id) });
    });
  });
}
