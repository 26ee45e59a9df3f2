import { knowledgeBase } from '@contextloom/contracts';
import { personalMemory } from '@contextloom/contracts/personal-memory';
import { projectMemory } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChatOver, openChatOver } from './support/chat-over.ts';

const END = '2999-03-01T00:00:00+02:00';
const RULED = '2999-01-01T00:00:00.000Z';

/** The end that a rule of personal memory gives. */
let rule: string | undefined;
const calls: { readonly tool: string; readonly args: object }[] = [];
const about = { title: 'n', description: 'n.', scope: 'none', effect: 'adds' } as const;
const noted = (tool: string, args: object): void => {
  calls.push({ tool, args });
};
const updateProfile = defineOperation({
  ...about,
  name: 'update_profile',
  ...personalMemory.update_profile,
  run: async (args) => {
    noted('update_profile', args);
    const end = args.expires_at ?? rule;
    return {
      updated: true,
      had_previous_value: false,
      previous_value: null,
      contradicts_today: [],
      conflicts: [],
      ...(end !== undefined && { expires_at: new Date(end).toISOString() }),
    };
  },
});
const addEvent = defineOperation({
  ...about,
  name: 'add_event',
  ...personalMemory.add_event,
  run: async (args) => {
    noted('add_event', args);
    return { event_id: 1 };
  },
});
const addDocument = defineOperation({
  ...about,
  name: 'add_document',
  ...knowledgeBase.add_document,
  run: async (args) => {
    noted('add_document', args);
    return { success: true as const, document_id: args.doc_id ?? 'd', message: 'Stored.' };
  },
});

const ingest = defineOperation({
  ...about,
  name: 'mem.ingest_memory',
  ...projectMemory['mem.ingest_memory'],
  run: async (args) => {
    noted('mem.ingest_memory', args);
    return { id: 'mem_1', status: 'created' as const, ts: 0 };
  },
});

let over: ChatOver;
beforeAll(async () => {
  over = await openChatOver(
    { 'personal-memory': [updateProfile, addEvent], 'knowledge-base': [addDocument], 'project-memory': [ingest] },
    60_000,
  );
});
afterAll(() => over.close());
beforeEach(() => {
  calls.length = 0;
  rule = undefined;
});

const ends = () => calls.map(({ tool, args }) => [tool, 'expires_at' in args ? args.expires_at : undefined]);

describe('remember with an end', () => {
  it.each([
    ['a note', { text: 'The gate code is on the door.', kind: 'note' }, [['add_document', END]]],
    ['what is known of a project', { text: 'The gate is blue.', project: 'gates' }, [['mem.ingest_memory', END]]],
    ['an event', { text: 'We paint the gate tomorrow.' }, [['add_event', END]]],
    [
      'a fact and its sentence',
      { text: 'I live in Leith.' },
      [
        ['update_profile', END],
        ['add_document', new Date(END).toISOString()],
      ],
    ],
  ])('gives it to %s', async (_name, said, expected) => {
    const { structured } = await over.client.callTool('remember', { ...said, expires_at: END });
    expect(ends()).toEqual(expected);
    expect(structured).toMatchObject({ message: expect.stringContaining('It is forgotten at 2999-') });
  });

  it('gives the sentence of a fact the end that a rule gave the fact', async () => {
    await over.client.callTool('remember', { text: 'I live in Leith.' });
    expect(ends().map(([, end]) => end)).toEqual([undefined, undefined]);
    calls.length = 0;
    rule = RULED;
    await over.client.callTool('remember', { text: 'I live in Leith.' });
    expect(ends()).toEqual([
      ['update_profile', undefined],
      ['add_document', RULED],
    ]);
  });

  it.each([
    ['soon', 'must be a time in ISO 8601'],
    ['2001-01-01T00:00:00Z', 'has passed'],
  ])('refuses %s, and stores nothing', async (expires_at, why) => {
    const { isError, text } = await over.client.callTool('remember', { text: 'I live in Leith.', expires_at });
    expect([isError, text]).toEqual([true, expect.stringContaining(why)]);
    expect(text).toContain('expires_at');
    expect(calls).toEqual([]);
  });
});
