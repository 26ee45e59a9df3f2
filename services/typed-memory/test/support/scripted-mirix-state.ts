/** One request, as it arrived. */
export interface MirixCallRecord {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly apiKey: string | undefined;
}

/** What is answered: JSON with a status, or something that MIRIX would not say. */
export type Reply =
  | { readonly status?: number; readonly json: unknown }
  | { readonly status?: number; readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  | 'hang'
  | 'cut';

/** Answers a request; undefined where there is no such route. */
export type Routes = (call: MirixCallRecord) => Reply | undefined;

/** What is kept of one user, by type. */
export interface KeptItem {
  readonly id: string;
  readonly type: string;
  readonly text: string;
}

/** What both generations keep. */
export interface MirixState {
  readonly apiKey: string;
  readonly users: Map<string, { id: string; name: string; status: string }>;
  readonly items: Map<string, KeptItem[]>;
  readonly agents: string[];
}

const MESSAGE =
  /^Remember this as (?<type>core|episodic|semantic|procedural|resource|knowledge vault) memory\.(?:\nContext: .*)?\n\n(?<text>[\s\S]+)$/u;

/** Keeps what a message says, as MIRIX's model would: here in the same words. */
export function keepMessage({ items }: MirixState, userId: string, message: string): void {
  const { type = 'episodic', text = message } = MESSAGE.exec(message)?.groups ?? {};
  const kept = items.get(userId) ?? [];
  const item = { id: `${type}_item-${kept.length + 1}`, type: type.replace(' ', '_'), text };
  items.set(userId, [...kept, item]);
}
