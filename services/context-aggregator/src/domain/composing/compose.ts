import type { ManifestSource, Placement, PromptLine, PromptOmission, PromptPart } from '@contextloom/contracts';
import { isCore } from '../context-sources/context-source.ts';
import { inOrderOfTime } from '../memories/order.ts';
import { type FittedLines, fitLines, type TextMeter, toTokens } from './fit.ts';
import { createFrame, type FrameOptions, toMarked, toSectionText } from './frame.ts';
import { byPriority, type OfferedLine, type SourceOffer, toOmission, toPromptLine } from './lines.ts';
import { inStableOrder, toParts, withoutRepeated } from './parts.ts';
import { toLanguage, toPrompt, toPromptBefore } from './prompt.ts';

/** Tells a document once: where two sources offer the same one of a server, the source of higher priority does. */
function withoutRepeats(offers: readonly SourceOffer[], placement: Placement): readonly SourceOffer[] {
  const seen = new Set<string>();
  const kept = new Map<SourceOffer, SourceOffer>();
  for (const offer of byPriority(offers, placement)) {
    const own = offer.lines.map(({ server, id }) => (id === undefined ? undefined : JSON.stringify([server, id])));
    const isNew = offer.lines.map((_, at) => !seen.has(own[at] ?? ''));
    for (const key of own) if (key !== undefined) seen.add(key);
    const repeats = offer.lines.filter((_, at) => isNew[at] !== true);
    kept.set(offer, {
      ...offer,
      lines: offer.lines.filter((_, at) => isNew[at] === true),
      leftOut: [...offer.leftOut, ...repeats.map((line) => toOmission(line, 'not_chosen'))],
    });
  }
  return offers.map((offer) => kept.get(offer) ?? offer);
}

/** How a prompt is composed. */
export interface ComposeOptions extends FrameOptions {
  readonly meter: TextMeter;
  /** Most tokens of all that is not the persona. */
  readonly maxTokens?: number | undefined;
  /** What the conversation has already: ids of lines or of documents. */
  readonly told?: readonly string[] | undefined;
  /** Where what is not the persona stands; in front of it unless said otherwise. */
  readonly placement?: Placement | undefined;
}

/** A prompt and what it is made of. */
export interface Composed {
  readonly prompt: string;
  readonly parts: readonly PromptPart[];
  /** Of all that is not the persona. */
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

const toBody = (sections: readonly Section[]): string =>
  sections
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n');

/** The prompt, and all in it that is not the persona. */
function place(
  persona: string,
  { core, recall, all }: { readonly core: string; readonly recall: string; readonly all: string },
  placement: Placement,
): { readonly prompt: string; readonly contexts: readonly string[] } {
  if (placement === 'before_persona') return { prompt: toPrompt(persona, all), contexts: [all] };
  if (placement === 'last_message') return { prompt: toPromptBefore(persona, core), contexts: [core, recall] };
  const context = [core, recall].filter((text) => text !== '').join('\n');
  return { prompt: toPromptBefore(persona, context), contexts: [core, recall] };
}

/**
 * Composes a prompt of what the sources offer: those that have room, in the order of time, a section for each source in the
 * order in which the sources were declared, and the persona. The same offers give the same bytes.
 */
export function compose(personaPrompt: string, given: readonly SourceOffer[], options: ComposeOptions): Composed {
  const { meter, maxTokens, today, fence = false, language = toLanguage(personaPrompt) } = options;
  const { placement = 'before_persona', told: known } = options;
  const frame = createFrame({ language, today, fence }, meter.countTokens);
  const offers = withoutRepeats(withoutRepeated(given, known), placement);
  const fitted = fitLines(offers, maxTokens, { frame, meter, placement });
  const toSectionOf = (
    offer: SourceOffer,
    order: (lines: readonly OfferedLine[]) => readonly OfferedLine[],
  ): Section => {
    const { included, cut }: FittedLines = fitted.get(offer) ?? { included: [], cut: [] };
    const lines = order(included);
    const texts = lines.map(({ text }) => text);
    return { offer, lines, cut, text: toSectionText(offer.entry, texts, { language, today }) };
  };
  const ofCore = offers.filter(({ entry }) => isCore(entry)).map((offer) => toSectionOf(offer, inStableOrder));
  const ofRecall = offers.filter(({ entry }) => !isCore(entry)).map((offer) => toSectionOf(offer, inOrderOfTime));
  const isBefore = placement === 'before_persona';
  const sections = isBefore ? offers.map((offer) => toSectionOf(offer, inOrderOfTime)) : [...ofCore, ...ofRecall];
  const toText = (some: readonly Section[], isBeside = false): string =>
    toMarked(toBody(some), { isBeside, fence, language });
  const core = toText(ofCore);
  const recall = toText(ofRecall, placement === 'last_message');
  const { prompt, contexts } = place(personaPrompt, { core, recall, all: toText(sections) }, placement);
  const toCounted = (line: OfferedLine): OfferedLine => ({ ...line, tokens: toTokens(line, meter) });
  const cut = sections.flatMap((section) => section.cut.map(toCounted));
  const toTold = ({ offer: { entry }, lines }: Section): readonly PromptLine[] =>
    lines.map((line) => ({ ...toPromptLine(toCounted(line)), part: isCore(entry) ? 'core' : 'recall' }));
  const ofQuestion = ofRecall.flatMap(({ lines }) => lines);
  return {
    prompt,
    parts: toParts({ persona: personaPrompt, core, recall }, ofQuestion, meter.countTokens),
    tokens: contexts.reduce((sum, text) => sum + (text === '' ? 0 : meter.countTokens(text)), 0),
    tokensCut: cut.reduce((sum, { text }) => sum + meter.countTokens(text), 0),
    sources: sections.map((section) => toManifestSource(section, meter)),
    lines: sections.flatMap(toTold),
    leftOut: [...offers.flatMap(({ leftOut }) => leftOut), ...cut.map((line) => toOmission(line, 'no_room'))],
  };
}
