import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { type Tell, useTexts } from '../i18n/texts.tsx';
import { toDay } from '../memories/memory.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { toCode, toCurl } from './as-code.ts';
import type { BuiltPrompt } from './use-prompt.ts';

type Line = BuiltPrompt['explanation']['lines'][number];
type Source = BuiltPrompt['explanation']['manifest']['sources'][number];

/** Told apart with any colour vision. Source: Okabe and Ito, Color Universal Design, 2008. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

const toColours = (sources: readonly Source[]): ReadonlyMap<string, string> =>
  new Map(sources.map(({ source }, at) => [source, colours[at % colours.length] ?? 'gray']));

interface WholePromptProps {
  readonly built: BuiltPrompt;
  /** Kept by the page: what the reader opened stays open for the next prompt. */
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** The prompt as a model gets it, why it is as it is, and how a program asks for it. */
export function WholePrompt({ built, isOpen, onToggle }: WholePromptProps) {
  const { tell } = useTexts();
  const url = `${location.origin}/mcp`;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => onToggle(currentTarget.open)}>
      <summary>{tell('prompt.whole')}</summary>
      <Explanation built={built} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who uses no mouse scrolls it with the keys */}
      <pre className="words" tabIndex={0}>
        {built.prompt}
      </pre>
      <Group>
        <CopyButton text={built.prompt} label={tell('copy')} />
        <CopyButton text={toCurl(built.args, url)} label={tell('prompt.curl')} />
        <CopyButton text={toCode(built.args, url)} label={tell('prompt.code')} />
      </Group>
    </details>
  );
}

/** Its budget by source, each line with where it comes from, what changed since the one before, and what was left out. */
function Explanation({ built: { explanation, before, args } }: { readonly built: BuiltPrompt }) {
  const { tell } = useTexts();
  const { manifest, lines, left_out, parts = [] } = explanation;
  const tokensOf = (kind: string): number => parts.find((part) => part.kind === kind)?.tokens ?? 0;
  const colourOf = toColours(manifest.sources);
  const now = new Set(lines.map(({ text }) => text));
  const gone = before?.filter((text) => !now.has(text)) ?? [];
  const given = args['max_tokens'];
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {tell('prompt.why')}
      </Title>
      <Budget
        sources={manifest.sources}
        colourOf={colourOf}
        most={typeof given === 'number' ? given : manifest.tokens}
      />
      <Text role="status">{tell('prompt.tokens', { tokens: manifest.tokens, cut: manifest.tokens_cut })}</Text>
      {parts.length > 0 && (
        <Text size="sm">{tell('prompt.parts', { core: tokensOf('core'), recall: tokensOf('recall') })}</Text>
      )}
      {lines.length === 0 && <Text>{tell('prompt.nothing')}</Text>}
      {lines.map((line, at) => (
        <ExplainedLine
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same
          key={at}
          line={line}
          colour={colourOf.get(line.source)}
          isNew={before !== undefined && !before.includes(line.text)}
        />
      ))}
      {gone.length > 0 && <Gone lines={gone} />}
      {left_out.length > 0 && (
        <Title order={3} size="h5">
          {tell('prompt.leftOut')}
        </Title>
      )}
      {left_out.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was left out has no name of its own
        <Text key={at} size="sm" className="words">
          {tell(`reason.${one.reason}`)}: {one.id ?? tell('prompt.from', toOrigin(one))} {toNumbers(one, tell)}
        </Text>
      ))}
    </Stack>
  );
}

function Gone({ lines }: { readonly lines: readonly string[] }) {
  const { tell } = useTexts();
  return (
    <>
      <Title order={3} size="h5">
        {tell('prompt.gone')}
      </Title>
      {lines.map((text) => (
        <Text key={text} td="line-through" className="words">
          {text}
        </Text>
      ))}
    </>
  );
}

const toOrigin = ({ source, server }: Pick<Line, 'source' | 'server'>) => ({ source, server });

const toNumbers = ({ score, relevance, tokens }: Pick<Line, 'score' | 'relevance' | 'tokens'>, tell: Tell): string =>
  [
    score === undefined ? undefined : tell('prompt.score', { score: score.toFixed(2) }),
    relevance === undefined ? undefined : tell('prompt.relevance', { score: relevance.toFixed(2) }),
    tokens === undefined ? undefined : tell('prompt.lineTokens', { tokens }),
  ]
    .filter((text) => text !== undefined)
    .join(' · ');

interface ExplainedLineProps {
  readonly line: Line;
  readonly colour: string | undefined;
  readonly isNew: boolean;
}

function ExplainedLine({ line, colour, isNew }: ExplainedLineProps) {
  const { tell, language } = useTexts();
  const { trust, said_by: saidBy = trust === undefined ? [] : [trust] } = line;
  const who = saidBy.map((one) => tell(`trust.${one}`)).join(', ');
  const details = [
    tell('prompt.from', toOrigin(line)),
    who === '' ? undefined : tell('prompt.saidBy', { who }),
    toDay(line.time, language),
    toNumbers(line, tell),
  ];
  return (
    <div className="line" style={{ borderColor: colour }}>
      <Text className="words">{line.text}</Text>
      <Group gap="xs">
        {isNew && (
          <Badge variant="outline" color="gray">
            {tell('prompt.new')}
          </Badge>
        )}
        <Text size="sm">{details.filter((text) => text !== undefined && text !== '').join(' · ')}</Text>
      </Group>
    </div>
  );
}

interface BudgetProps {
  readonly sources: readonly Source[];
  readonly colourOf: ReadonlyMap<string, string>;
  /** What the whole bar stands for, in tokens. */
  readonly most: number;
}

function Budget({ sources, colourOf, most }: BudgetProps) {
  const included = sources.filter(({ tokens }) => tokens > 0);
  const label = included.map(({ source, tokens }) => `${source} ${tokens}`).join(', ');
  return (
    <>
      <div className="budget" role="img" aria-label={`${label} / ${most}`}>
        {included.map(({ source, tokens }) => (
          <div
            key={source}
            style={{ width: `${(100 * tokens) / Math.max(most, 1)}%`, background: colourOf.get(source) }}
          />
        ))}
      </div>
      <Group gap="md">
        {included.map(({ source, tokens }) => (
          <Text key={source} size="sm">
            <span aria-hidden style={{ color: colourOf.get(source) }}>
              ■
            </span>{' '}
            {source}: {tokens}
          </Text>
        ))}
      </Group>
    </>
  );
}
