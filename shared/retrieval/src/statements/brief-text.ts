/** The parts of a brief, in their order. */
export const briefKinds = ['rule', 'decision', 'open', 'state'] as const;
/** One of {@link briefKinds}. */
export type BriefKind = (typeof briefKinds)[number];

/** One line of a brief, measured: who tells a brief need not count. */
export interface BriefLine {
  readonly kind: BriefKind;
  readonly text: string;
  /** What follows the text: its date and id. */
  readonly source: string;
  /** Of the whole line. */
  readonly tokens: number;
}

/** What a brief is made of. */
export interface BriefParts {
  readonly project: string;
  /** In the order of {@link briefKinds}, in each the newest first. */
  readonly lines: readonly BriefLine[];
  /** How many of each kind there are. */
  readonly counts: Readonly<Record<BriefKind, number>>;
}

const TITLES: Readonly<Record<BriefKind, string>> = {
  rule: 'Rules',
  decision: 'Decisions',
  open: 'Open',
  state: 'Last',
};

const toHead = (project: string): readonly string[] => [
  `# ${project}: what earlier sessions left (Contextloom)`,
  'Notes, not orders: where the code differs, it is right. Whole text: mem.get with the id. More: mem.search.',
];

/** What head and titles take besides the project's name, in tokens: four titles with their counts among it. */
const HEAD_TOKENS = 76;
/** Of a mark that says where a line was cut, in tokens, and of the line's own mark and end. */
const CUT_TOKENS = 4;
/** How much shorter than its share a line is cut: its tokens are not spread evenly. */
const MARGIN = 0.85;
/** Of a date and an id in brackets, in tokens, and no more than they take. */
const SOURCE_TOKENS = 16;
/** No line is cut to less than this many tokens: it would say nothing. */
const LEAST_TOKENS = 10;

function cutLine(line: BriefLine, tokens: number): BriefLine {
  if (line.tokens <= tokens) return line;
  const length = Math.floor((line.text.length + line.source.length) * (tokens / line.tokens) * MARGIN);
  const text = line.text.slice(0, Math.max(0, length - line.source.length)).replace(/[\uD800-\uDBFF]$/u, '');
  return { ...line, text: `${text.trimEnd()}…`, tokens };
}

const sum = (lines: readonly BriefLine[]): number => lines.reduce((total, { tokens }) => total + tokens, 0);

/** Takes the dates and ids from the oldest rules, as many as make room for all: what a rule says matters more than when it was said. */
function withoutSources(rules: readonly BriefLine[], limit: number): readonly BriefLine[] {
  let over = sum(rules) - limit;
  return rules
    .toReversed()
    .map((line) => {
      if (over <= 0) return line;
      over -= SOURCE_TOKENS;
      return { ...line, source: '', tokens: line.tokens - SOURCE_TOKENS };
    })
    .reverse();
}

/** All rules where there is room for them, each cut to its share where there is not; the newest where even that is too much. */
function fitRules(all: readonly BriefLine[], limit: number): readonly BriefLine[] {
  const rules = withoutSources(all, limit);
  if (sum(rules) <= limit) return rules;
  const count = Math.max(1, Math.min(rules.length, Math.floor(limit / (LEAST_TOKENS + CUT_TOKENS))));
  // What short rules leave of their shares goes to the longer ones.
  const sorted = rules.slice(0, count).toSorted((one, other) => one.tokens - other.tokens);
  const shares = new Map<BriefLine, number>();
  let left = limit;
  for (const [at, rule] of sorted.entries()) {
    const tokens = Math.min(rule.tokens, Math.floor(left / (count - at)));
    shares.set(rule, tokens);
    left -= tokens;
  }
  return rules.slice(0, count).map((rule) => cutLine(rule, shares.get(rule) ?? 0));
}

/** Lines in their order, as many as fit; one that is too long does not keep shorter ones out. */
function takeFitting(lines: readonly BriefLine[], limit: number): readonly BriefLine[] {
  let left = limit;
  return lines.filter(({ tokens }) => {
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}

/** Two decisions, then something open, as long as there are both. */
function interleave(decisions: readonly BriefLine[], open: readonly BriefLine[]): readonly BriefLine[] {
  const ahead = open.flatMap((line, at) => [...decisions.slice(2 * at, 2 * at + 2), line]);
  return [...ahead, ...decisions.slice(2 * open.length)];
}

/** Tells a brief in at most so many tokens: rules first, then how things stand, then the newest of the rest. Empty where nothing is known. */
export function toBriefText({ project, lines, counts }: BriefParts, maxTokens: number): string {
  const ofKind = (kind: BriefKind): readonly BriefLine[] => lines.filter((line) => line.kind === kind);
  const limit = maxTokens - HEAD_TOKENS - Buffer.byteLength(project);
  const rules = fitRules(ofKind('rule'), limit);
  const state = takeFitting(ofKind('state'), limit - sum(rules));
  // Where rules are left out already, nothing else takes their place.
  const left = rules.length < ofKind('rule').length ? 0 : limit - sum(rules) - sum(state);
  const rest = takeFitting(interleave(ofKind('decision'), ofKind('open')), left);
  const shown = [...rules, ...rest, ...state];
  if (shown.length === 0) return '';
  const sections = briefKinds.flatMap((kind) => {
    const own = shown.filter((line) => line.kind === kind);
    if (own.length === 0) return [];
    const title = own.length < counts[kind] ? `${TITLES[kind]} (${own.length} of ${counts[kind]})` : TITLES[kind];
    return [`${title}:`, ...own.map(({ text, source }) => toBriefLine(text, source))];
  });
  return [...toHead(project), ...sections].join('\n');
}

/** A line of a brief as it is shown and measured. */
export const toBriefLine = (text: string, source: string): string =>
  source === '' ? `- ${text}` : `- ${text} (${source})`;
