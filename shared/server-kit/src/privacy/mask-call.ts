import { SOURCE_KEY } from '@contextloom/contracts';

/** Whose words of which sources a rule is for; of everybody and everything without these. */
export interface RuleScope {
  readonly users?: readonly string[] | undefined;
  /** Names of servers, or of what something was read in; one that ends in `*` stands for all that begin so. */
  readonly sources?: readonly string[] | undefined;
}

/** A mask, and what it is for. */
export interface MaskRule extends RuleScope {
  readonly mask: (text: string) => string;
}

/** What of a call says no words. */
export interface MaskCallOptions {
  /** Whether a call that names no user is about nobody's data, rather than about those of whoever the server is for. */
  readonly hasUsers: boolean;
  /** Fields that are no text, such as a file in base64. */
  readonly opaque?: readonly string[] | undefined;
}

/** Masks the words of a call. */
export type MaskCall = (args: unknown, options: MaskCallOptions) => unknown;

/** Fields by which things are found again, and those of which the values are a program's. */
const ADDRESS = /^(?:.*_)?(?:id|ids|cursor|date|at|format|hash|kind|path|placement|role|turns|type|url|version)$/u;
/** Fields that say where words come from. */
const ORIGINS = ['source', SOURCE_KEY, 'transcript_id', 'project', 'project_name', 'title'];
/** A name that a program gave a field. */
const FIELD = /^[A-Za-z_]\w{0,63}$/u;
/** Fields whose text is itself JSON, or lines of it, which must stay what it is. */
const STRUCTURED = /^(?:conversation_history|data|lines)$/u;
/** What is smaller is no number of a card, a telephone or a person. */
const LONG_NUMBER = 10_000_000_000;

type Fields = Readonly<Record<string, unknown>>;
type Who = { readonly user: string | undefined; readonly origins: readonly string[] };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const toText = (value: unknown): readonly string[] => (typeof value === 'string' ? [value] : []);

/** Whose words the fields below are, and where they come from, where these fields say so. */
function readWho(fields: Fields, outer: Who): Who {
  const { metadata } = fields;
  const inner = isFields(metadata) ? metadata : {};
  const [user = outer.user] = [...toText(fields['user_id']), ...toText(inner['user_id'])];
  const origins = [fields, inner].flatMap((one) => ORIGINS.flatMap((key) => toText(one[key])));
  return { user, origins: origins.length === 0 ? outer.origins : [...outer.origins, ...origins] };
}

const isOf = (name: string, sources: readonly string[]): boolean =>
  sources.some((source) => (source.endsWith('*') ? name.startsWith(source.slice(0, -1)) : name === source));

/** A text that is JSON, or lines of it, is masked value by value, so that it stays what it is. */
function maskJson(text: string, mask: (value: unknown) => unknown): string | undefined {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  const rewrite = (part: string): string => {
    const value: unknown = JSON.parse(part);
    const masked = mask(value);
    return JSON.stringify(masked) === JSON.stringify(value) ? part : JSON.stringify(masked);
  };
  try {
    return rewrite(text);
  } catch {
    // Lines, or words.
  }
  try {
    return text
      .split('\n')
      .map((line) => (line.trim() === '' ? line : rewrite(line)))
      .join('\n');
  } catch {
    return undefined;
  }
}

const nobody: Who = { user: undefined, origins: [] };

/** Whether a rule is for these words; `hasUsers` whether words that no user is named for are nobody's. */
function appliesTo({ users, sources }: RuleScope, { user, origins }: Who, hasUsers: boolean): boolean {
  const isTheirs = users === undefined || (user === undefined ? !hasUsers : users.includes(user));
  return isTheirs && (sources === undefined || origins.some((origin) => isOf(origin, sources)));
}

/** How long documents are kept. */
export interface LifetimeRule extends RuleScope {
  /** Of what memory type, or with what tag; everything without them. */
  readonly kinds?: readonly string[] | undefined;
  readonly lifetimeMs: number;
}

/** Builds what tells how long a document is kept, in milliseconds: the shortest time of the rules that are about it. */
export function createToLifetime(rules: readonly LifetimeRule[], server: string) {
  return ({ tags, metadata }: { readonly tags: readonly string[]; readonly metadata: Fields }): number | undefined => {
    const who = readWho({ metadata }, { ...nobody, origins: [server] });
    const kinds = [...tags, ...toText(metadata['memory_type'])];
    const met = rules.filter(
      (rule) => appliesTo(rule, who, true) && (rule.kinds?.some((kind) => kinds.includes(kind)) ?? true),
    );
    return met.length === 0 ? undefined : Math.min(...met.map(({ lifetimeMs }) => lifetimeMs));
  };
}

/** Builds what masks the calls of a server. */
export function createMaskCall(rules: readonly MaskRule[], server: string): MaskCall {
  return (args, { hasUsers, opaque = [] }) => {
    const maskText = (text: string, who: Who): string =>
      rules.reduce((masked, rule) => (appliesTo(rule, who, hasUsers) ? rule.mask(masked) : masked), text);
    const maskField = (key: string, value: unknown, who: Who): unknown => {
      if (ADDRESS.test(key) || opaque.includes(key)) return value;
      const isJson = typeof value === 'string' && STRUCTURED.test(key);
      const rewritten = isJson ? maskJson(value, (inner) => maskValue(inner, who)) : undefined;
      return rewritten ?? maskValue(value, who);
    };
    const maskValue = (value: unknown, who: Who): unknown => {
      if (typeof value === 'string') return maskText(value, who);
      if (typeof value === 'number') return Math.abs(value) < LONG_NUMBER ? value : maskNumber(value, who);
      if (Array.isArray(value)) return value.map((one) => maskValue(one, who));
      if (!isFields(value)) return value;
      const whose = readWho(value, who);
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [
          FIELD.test(key) ? key : maskText(key, whose),
          maskField(key, one, whose),
        ]),
      );
    };
    const maskNumber = (value: number, who: Who): unknown => {
      const text = String(value);
      return maskText(text, who) === text ? value : maskText(text, who);
    };
    return maskValue(args, { ...nobody, origins: [server] });
  };
}
