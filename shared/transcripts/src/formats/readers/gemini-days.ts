import type { FoundTurn, Out } from '../reader.ts';

/** A prompt with its answer. */
export interface Prompted {
  readonly prompt: string;
  readonly answer: string;
  readonly time: Pick<FoundTurn, 'at' | 'wall'>;
}

/** What Google writes before a prompt, in the language of the account. */
const PROMPTED =
  /^(?:Prompted|Asked|Said|已发送提示|输入的提示|提示|送信したメッセージ|プロンプト|Eingegebener Prompt|Prompt saisi|Requête saisie|Has preguntado)[:：\s]\s*/u;

/** Whether the title of an activity is a prompt. */
export function isPrompted(title: string): boolean {
  return PROMPTED.test(title);
}

/** Writes the prompts of a day in the order in which they were asked: the file has the newest first. */
export function createDays(out: Out) {
  let day: string | undefined;
  let prompts: Prompted[] = [];
  const flush = () => {
    if (prompts.length === 0) return;
    out.conversation(day === undefined || day === '' ? {} : { id: `gemini-${day}`, title: `Gemini, ${day}` });
    for (const { prompt, answer, time } of prompts.reverse()) {
      out.turn({ role: 'user', text: prompt.replace(PROMPTED, ''), ...time });
      if (answer !== '') out.turn({ role: 'assistant', text: answer, ...time });
    }
    prompts = [];
  };
  return {
    add: (one: Prompted) => {
      const own = (one.time.at ?? one.time.wall ?? '').slice(0, 10);
      if (own !== day) flush();
      day = own;
      prompts.push(one);
    },
    flush,
  };
}
