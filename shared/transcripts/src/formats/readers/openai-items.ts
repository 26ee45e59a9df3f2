import { isRecord } from '../read.ts';

type Value = Readonly<Record<string, unknown>>;

/** A list as it is; a text as the one item of a list; nothing of anything else. */
export function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? [value] : [];
}

const fromUser = (content: string): Value => ({ role: 'user', content });
const answered = (content: string): Value => ({ role: 'assistant', content });
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** `\n\nHuman: …\n\nAssistant:`, in which older interfaces of Anthropic take a conversation; undefined of other prompts. */
function splitPrompt(prompt: string): readonly Value[] | undefined {
  const parts = prompt.split(/(?:^|\n\n)(Human|Assistant):\s?/u);
  if (parts.length < 3) return undefined;
  const turns = parts.flatMap((name, at) => {
    const words = parts[at + 1] ?? '';
    if (at % 2 === 0 || !isText(words)) return [];
    return [name === 'Human' ? fromUser(words) : answered(words)];
  });
  return turns.length === 0 ? undefined : turns;
}

/** Questions with answers of before: `[["hi", "hello"], …]`, as Alpaca and Qwen have them. */
function toHistory(history: unknown): readonly Value[] {
  return asList(history).flatMap((pair) =>
    Array.isArray(pair) && isText(pair[0]) && isText(pair[1]) ? [fromUser(pair[0]), answered(pair[1])] : [],
  );
}

/** An instruction or a question with its answer. */
function findPair({ instruction, input, output, query, response, history, prompt, completion }: Value) {
  if (isText(instruction) && isText(output)) {
    const question = isText(input) ? `${instruction}\n${input}` : instruction;
    return [...toHistory(history), fromUser(question), answered(output)];
  }
  if (isText(query) && isText(response)) return [...toHistory(history), fromUser(query), answered(response)];
  if (typeof prompt !== 'string' || typeof completion !== 'string') return undefined;
  return [...(splitPrompt(prompt) ?? [fromUser(prompt)]), answered(completion)];
}

/** Both sides of a preference: what was chosen, after what was asked. */
function findChosen({ prompt, chosen }: Value): readonly unknown[] {
  if (typeof chosen === 'string') {
    const whole = splitPrompt(chosen);
    if (whole !== undefined) return whole;
    return typeof prompt === 'string' ? [fromUser(prompt), answered(chosen)] : [];
  }
  if (!Array.isArray(chosen)) return [];
  const isWhole = chosen.some((one) => isRecord(one) && (one['role'] === 'user' || one['from'] === 'human'));
  return isWhole ? chosen : [...(typeof prompt === 'string' ? [fromUser(prompt)] : asList(prompt)), ...chosen];
}

/** `[{"human": "hi", "assistant": "hello"}]`. */
function findPairs(conversation: unknown): readonly unknown[] {
  return asList(conversation).flatMap((pair) => {
    if (!isRecord(pair)) return [];
    const { human, assistant } = pair;
    return isText(human) && isText(assistant) ? [fromUser(human), answered(assistant)] : [];
  });
}

/** Messages in the order of their times: threads and conversations answer lists with the newest first. */
function inOrder(data: readonly unknown[]): readonly unknown[] {
  const items = data.filter(isRecord);
  const times = items.map((one) => Number(one['created_at'])).filter(Number.isFinite);
  const [first, last] = [times[0], times.at(-1)];
  const isBack = first === undefined || last === undefined ? items[0]?.['role'] === 'assistant' : first > last;
  return isBack ? data.toReversed() : data;
}

/** The messages of a request, an answer, an example for fine-tuning, or both halves of one; undefined when it has none. */
export function findItems(value: Value): readonly unknown[] | undefined {
  const body = isRecord(value['body']) ? value['body'] : value;
  const pair = findPair(body);
  if (pair !== undefined) return pair;
  const { messages, input, output, conversations, conversation, contents, choices, data } = body;
  const given = isRecord(input) ? asList(input['messages']) : asList(input);
  const offered = asList(choices).flatMap((choice) =>
    isRecord(choice) && isRecord(choice['message']) ? [choice['message']] : [],
  );
  const found = [
    ...[asList(messages), asList(conversations), asList(contents), findPairs(conversation), findChosen(body)].flat(),
    ...[given, offered.slice(0, 1), Array.isArray(output) ? output : [], asList(body['preferred_output'])].flat(),
    ...(body['object'] === 'list' ? inOrder(asList(data)) : []),
  ];
  return found.length > 0 ? found : undefined;
}
