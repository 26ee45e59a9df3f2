import { LANGUAGES } from '@contextloom/contracts';
import { readingWordsOf } from '@contextloom/languages/reading';
import { countTokens } from '@contextloom/llm';
import type { RecordedBody, ScriptedOpenAiOptions } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { createKeptMemories } from '../support/memory-stores.ts';
import { type ScriptedModel, startScriptedModel, toAnswerText } from '../support/scripted-model.ts';

const running: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ endpoint }) => endpoint.close()));
});

/** The requests that a conversation leads to. */
async function ask(conversationHistory: string, options: ScriptedOpenAiOptions = {}): Promise<readonly RecordedBody[]> {
  const model = await startScriptedModel({
    chat: [{ kind: 'answer', text: '{"memories":[]}' }],
    concurrency: 1,
    ...options,
  });
  running.push(model);
  const processor = createMemoryProcessor({ memories: createKeptMemories(), extractor: model.extractor });
  await processor.processTranscript({ userId: 'u', conversationHistory });
  return model.endpoint.requests.map(({ body }) => body);
}

/** A request for a reader: messages as text, the rest as it is. */
function toReadable({ messages = [], ...rest }: RecordedBody): string {
  const said = messages.map(({ role, content }) => `--- ${role}\n${String(content)}`);
  return [...said, '--- the rest of the request', JSON.stringify(rest, null, 2)].join('\n');
}

const english = `# 2023-05-08
Caroline: I went to a support group yesterday. It was so powerful.
Melanie: Wow! What was it like?
assistant: Shall I note the date?
Caroline: Yes, please. They were
so welcoming.`;
const chinese = `# 2024-03-05
林夏：面试改到下周二了，地点还在人民路。
助手：需要我提醒您吗？
林夏：好，前一天晚上提醒我。`;

describe('what a model is asked', () => {
  it('of an English conversation', async () => {
    const [request, ...others] = await ask(english);
    expect(others).toEqual([]);
    expect(toReadable(request as RecordedBody)).toMatchSnapshot();
  });

  it('of a Chinese conversation', async () => {
    const [request] = await ask(chinese);
    expect(toReadable(request as RecordedBody)).toMatchSnapshot();
  });

  it('of an endpoint that knows JSON mode alone', async () => {
    const [request] = await ask(chinese, { lacks: { jsonSchema: true } });
    expect(toReadable(request as RecordedBody)).toMatchSnapshot();
  });

  it('when the first answer could not be used', async () => {
    const requests = await ask(chinese, {
      chat: [
        { kind: 'answer', text: '{"memories":[{"importance":"很高"}]}' },
        { kind: 'answer', text: '{"memories":[]}' },
      ],
    });
    expect(requests).toHaveLength(2);
    expect(
      toReadable({ ...requests[1], messages: requests[1]?.messages?.slice(2) ?? [], model: '' }),
    ).toMatchSnapshot();
  });

  it('of a Japanese conversation, in Japanese, and keeps what it writes', async () => {
    const said =
      '# 2024-03-05\n美咲：去年から港の書店で働いています。\nassistant: それはいいですね。\n美咲：来週の火曜日に面接があります。';
    const fact = { content: '美咲は港の書店で働いている。', importance: 7, evidence: ['1'] };
    const model = await startScriptedModel({ chat: [{ kind: 'answer', text: toAnswerText(fact) }] });
    running.push(model);
    const processor = createMemoryProcessor({ memories: createKeptMemories(), extractor: model.extractor });
    const { saved, notSaved } = await processor.processTranscript({ userId: 'u', conversationHistory: said });
    const [system, user] = model.endpoint.requests[0]?.body.messages ?? [];
    expect(system?.content).toBe(readingWordsOf('ja').instructions);
    expect(user?.content).toBe(
      [
        '会話の日付：2024-03-05（火曜日）',
        '話している人：美咲、assistant',
        '',
        '読む部分：',
        '[1] 美咲: 去年から港の書店で働いています。',
        '[2] assistant: それはいいですね。',
        '[3] 美咲: 来週の火曜日に面接があります。',
      ].join('\n'),
    );
    expect(notSaved).toEqual([]);
    expect(saved.map(({ content }) => content)).toContain(fact.content);
  });

  it.each(LANGUAGES)('begins in %s with a fixed part that is long enough for endpoints to cache', (language) => {
    expect(countTokens(readingWordsOf(language).instructions)).toBeGreaterThan(1_024);
  });

  it('by the name that the settings give a person who speaks as user alone; the episode keeps the word', async () => {
    const text = toAnswerText({ content: 'Anna moved to Lyon.', evidence: ['1'] });
    const model = await startScriptedModel({ chat: [{ kind: 'answer', text }], userName: 'Anna' });
    running.push(model);
    const memories = createKeptMemories();
    const processor = createMemoryProcessor({ memories, extractor: model.extractor });
    const conversationHistory = 'user: I moved to Lyon.\nassistant: Nice!';
    const { notSaved } = await processor.processTranscript({ userId: 'u', conversationHistory });
    const shown = String(model.endpoint.requests[0]?.body.messages?.[1]?.content);
    expect(shown).toContain('People: Anna, assistant\n');
    expect(shown).toContain('[1] Anna: I moved to Lyon.');
    expect(notSaved).toEqual([]);
    const kept = [...memories.documents.values()].map(({ content }) => content);
    expect(kept).toEqual(['Anna moved to Lyon.', conversationHistory]);
  });

  it.each([
    ['ann.smith@example.org', {}, 'user: I moved to Lyon.', 'Ann Smith'],
    ['ann', { userName: 'Annie' }, 'user: I moved to Lyon.', 'Annie'],
    ['小明', {}, '用户：我搬到了里昂。', '小明'],
    ['7f3a91', {}, 'user: I moved to Lyon.', 'This person'],
    ['user', {}, 'user: I moved to Lyon.', 'This person'],
    // Somebody else has the name.
    ['ben', {}, 'user: I moved to Lyon.\nBen: Nice!', 'This person'],
    ['7f3a91', {}, '用户：我搬到了里昂。', '本人'],
    ['7f3a91', {}, 'ユーザー：リヨンに引っ越しました。', '本人'],
  ])('of the user %j with %j who says %j calls them %s, and so does the fact', async (userId, told, said, name) => {
    // A model that writes "user" all the same.
    const [content, moved] = said.includes('里昂')
      ? ['用户搬到了里昂。', '搬到了里昂。']
      : said.includes('リヨン')
        ? ['利用者はリヨンに引っ越した。', 'はリヨンに引っ越した。']
        : ['The user moved to Lyon.', ' moved to Lyon.'];
    const chat = [{ kind: 'answer', text: toAnswerText({ content, evidence: ['1'] }) }] as const;
    const model = await startScriptedModel({ chat });
    running.push(model);
    const memories = createKeptMemories();
    const processor = createMemoryProcessor({ memories, extractor: model.extractor });
    const { saved, notSaved } = await processor.processTranscript({ userId, conversationHistory: said, ...told });
    expect(String(model.endpoint.requests[0]?.body.messages?.[1]?.content)).toContain(`[1] ${name}: `);
    expect(notSaved).toEqual([]);
    expect(saved[0]?.content).toBe(`${name}${moved}`);
  });

  it.each([
    '[补充记忆上下文] 关于这位用户，请参考以下你之前的记忆：',
    '[Supplementary memory context] About this user, please refer to these earlier memories of yours:',
    '[補足の記憶] この利用者について、あなたが以前から覚えていることです：',
  ])('shows the window before, system text and recalled memories never: %s', async (heading) => {
    const lines = Array.from({ length: 7 }, (_, n) => `Anna: sentence number ${n + 1}.`);
    const recalled = `user: ${heading} - SECRET MEMORY`;
    const requests = await ask(['system: SYSTEM TEXT', ...lines, recalled].join('\n'));
    const sent = JSON.stringify(requests);
    expect(sent).not.toContain('SYSTEM TEXT');
    expect(sent).not.toContain('SECRET MEMORY');
    expect(String(requests[1]?.messages?.[1]?.content)).toContain(
      'take no facts from it:\n[2] Anna: sentence number 1.\n',
    );
  });
});
