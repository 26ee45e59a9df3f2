import { afterEach, expect, it } from '@jest/globals';
import { type RunningAggregator, startAggregator } from './support/composition.ts';
import { barePersona, knowledgeBase, toResult } from './support/scripts.ts';

const PERSONA = 'あなたは魚住です。港の小さな書店で働き、本と海の話が好きです。いつも穏やかに、短く話します。';

let running: RunningAggregator | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

it('composes a Japanese persona with Japanese headings', async () => {
  running = await startAggregator({
    servers: {
      'persona-uozumi': barePersona({ text: PERSONA }),
      'knowledge-base': knowledgeBase({ results: [toResult('緑茶が好き')] }),
    },
    aggregator: { source_deadline_ms: 200_000 },
  });
  const answer = await running.client.callTool('build_prompt_with_context', {
    persona_name: 'uozumi',
    user_id: 'ann',
    user_query: 'お茶は何がいい？',
  });
  expect(answer.text).toBe(
    `[補足の記憶]\nこの利用者について、あなたが以前から覚えていることです：\n- 緑茶が好き\n\n\n---\n\n${PERSONA}`,
  );
});
