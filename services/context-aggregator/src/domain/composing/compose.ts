import type { ManifestSource, PromptLine, PromptOmission } from '@contextloom/contracts';
import { inOrderOfTime } from '../memories/order.ts';
import { type Fitted, fitLines, type TextMeter, toTokens } from './fit.ts';
import { createFrame, type FrameOptions, toSectionText } from './frame.ts';
import { type OfferedLine, type SourceOffer, toOmission, toPromptLine } from './lines.ts';
import { toFenced, toLanguage, toPrompt } from './prompt.ts';
import { withoutRepeats } from './repeats.ts';

/** How a prompt is composed. */
export interface ComposeOptions extends FrameOptions {
  readonly meter: TextMeter;
  /** Most tokens of all that precedes the persona. */
  readonly maxTokens?: number | undefined;
}

/** A prompt and what it is made of. */
export interface Composed {
  readonly prompt: string;
  /** Of all that precedes the persona. */
  readonly tokens: number;
  readonly tokensCut: number;
  readonly sources: readonly ManifestSource[];
  readonly lines: readonly PromptLine[];
  readonly leftOut: readonly PromptOmission[];
}

/** A section of the prompt, its lines in their order. */
interface Section {
  readonly offer: SourceOffer;
  readonly lines: readonly OfferedLine[];
  readonly cut: readonly OfferedLine[];
  readonly text: string;
}

function toManifestSource({ offer, lines, text, cut }: Section, { countTokens }: TextMeter): ManifestSource {
  const { entry, server, outcome, leftOut } = offer;
  const tokens = text === '' ? 0 : countTokens(text);
  const excluded = [...leftOut, ...cut];
  const relevances = excluded.flatMap(({ relevance }) => relevance ?? []);
  return {
    source: entry.name,
    server,
    ...outcome,
    lines: lines.length,
    tokens,
    left_out: excluded.length,
    ...(relevances.length > 0 && { left_out_relevance: Math.max(...relevances) }),
  };
}

/**
 * Composes a prompt of what the sources offer: those that have room, in the order of time, a section for each source in the
 * order in which the sources were declared, then the persona. The same offers give the same bytes.
 */
export function compose(personaPrompt: string, given: readonly SourceOffer[], options: ComposeOptions): Composed {
  const { meter, maxTokens, today, fence = false, language = toLanguage(personaPrompt) } = options;
  const frame = createFrame({ language, today, fence }, meter.countTokens);
  const offers = withoutRepeats(given);
  const fitted = fitLines(offers, maxTokens, { frame, meter });
  const sections = offers.map((offer): Section => {
    const { told, cut }: Fitted = fitted.get(offer) ?? { told: [], cut: [] };
    const lines = inOrderOfTime(told);
    return {
      offer,
      lines,
      cut,
      text: toSectionText(
        offer.entry,
        lines.map(({ text }) => text),
        { language, today },
      ),
    };
  });
  const body = sections
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n');
  const context = fence ? toFenced(body, language) : body;
  const toCounted = (line: OfferedLine): OfferedLine => ({ ...line, tokens: toTokens(line, meter) });
  const cut = sections.flatMap((section) => section.cut.map(toCounted));
  return {
    prompt: toPrompt(personaPrompt, context),
    tokens: context === '' ? 0 : meter.countTokens(context),
    tokensCut: cut.reduce((sum, { text }) => sum + meter.countTokens(text), 0),
    sources: sections.map((section) => toManifestSource(section, meter)),
    lines: sections.flatMap((section) => section.lines.map((line) => toPromptLine(toCounted(line)))),
    leftOut: [...offers.flatMap(({ leftOut }) => leftOut), ...cut.map((line) => toOmission(line, 'no_room'))],
  };
}
