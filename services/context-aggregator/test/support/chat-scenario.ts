/** What a scripted model does next: it calls a tool, made of what the tools before answered, or says something. */
export type ModelTurn =
  | { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly say: string };

/** A memory as answers show it. */
export interface ShownMemory {
  readonly id: string;
  readonly text: string;
  readonly store: string;
}

/** The answer of a tool, as a model reads it. */
export type ToolAnswer = Readonly<Record<string, unknown>> & { readonly memories?: readonly ShownMemory[] };

/** A chat in one language. */
export interface Scenario {
  readonly fact: string;
  readonly event: string;
  readonly note: string;
  /** Stored in typed memory beforehand. */
  readonly typed: string;
  readonly query: string;
  readonly corrected: string;
}

export const scenarios: Readonly<Record<'English' | 'Chinese', Scenario>> = {
  English: {
    fact: 'I work for the Harbour Office.',
    event: 'We painted the harbour crane yesterday',
    note: 'The harbour ferry needs a ticket from the kiosk',
    typed: 'Allergic to the harbour cats',
    query: 'harbour',
    corrected: 'The harbour ferry is free now',
  },
  Chinese: {
    fact: '我的公司叫港口管理处',
    event: '昨天我们给港口的吊车刷了漆',
    note: '港口的渡轮要在亭子买票',
    typed: '对港口的猫过敏',
    query: '港口',
    corrected: '港口的渡轮现在免费',
  },
};

const idOf = ({ memories = [] }: ToolAnswer, text: string): string =>
  memories.find((memory) => memory.text.includes(text))?.id ?? `no memory says ${text}`;

/** The turns of a model that remembers three things, recalls, corrects one, forgets another, and looks again. */
export function toTurns({
  fact,
  event,
  note,
  query,
  corrected,
}: Scenario): readonly ((last: ToolAnswer) => ModelTurn)[] {
  let recalled: ToolAnswer = {};
  return [
    () => ({ tool: 'remember', arguments: { text: fact } }),
    () => ({ tool: 'remember', arguments: { text: event } }),
    () => ({ tool: 'remember', arguments: { text: note } }),
    () => ({ tool: 'recall', arguments: { query } }),
    (last) => {
      recalled = last;
      return { tool: 'update_memory', arguments: { id: idOf(last, note), text: corrected } };
    },
    () => ({ tool: 'forget', arguments: { id: idOf(recalled, event) } }),
    () => ({ tool: 'recall', arguments: { query } }),
    () => ({ tool: 'list_memories', arguments: {} }),
    () => ({ say: 'done' }),
  ];
}
