import type { Language } from '@contextloom/contracts';
import {
  type ContextLine,
  type ContextRequest,
  type ContextSection,
  type LeftOut,
  type LoadedContext,
  type SectionName,
  sectionNames,
} from '@contextloom/contracts/agent-memory';
import { wordsOf } from '@contextloom/languages';
import type { WorkspaceLanguage } from '../editing/workspace-language.ts';
import { type Draft, type Piece, shareOut } from './budget.ts';
import { createDrafts, type DraftsOptions } from './drafts.ts';

/** What a context is built with. */
export interface ContextOptions extends DraftsOptions {
  /** Whose workspace it is, as gateways name users: each line says so. */
  readonly userId?: string | undefined;
  readonly language: WorkspaceLanguage['find'];
  /** Whether the files of the identity say nothing yet. */
  readonly isUnwritten: () => Promise<boolean>;
}

/** A draft with the tokens of each of its pieces. */
interface Costed {
  readonly draft: Draft;
  readonly heading: number;
  readonly costs: readonly number[];
}

interface Filled {
  readonly section: ContextSection;
  readonly text: string;
  readonly kept: readonly Piece[];
  readonly left: readonly Piece[];
}

const toIds = (pieces: readonly Piece[]): readonly string[] => pieces.flatMap(({ id }) => id ?? []);

/**
 * Takes pieces, most wanted first, as long as the next one fits: what is newest is never given up for what is older, unless
 * it is too long for the section by itself.
 */
function fill({ draft, heading, costs }: Costed, limit: number, taken: ReadonlySet<string>): Filled {
  const wanted = draft.pieces.map((piece, at) => ({ piece, cost: costs[at] ?? 0 }));
  const fresh = wanted.filter(({ piece }) => piece.id === undefined || !taken.has(piece.id));
  const possible = fresh.filter(({ cost }) => heading + cost <= limit);
  let used = heading;
  const end = possible.findIndex(({ cost }) => {
    used += cost;
    return used > limit;
  });
  const fitting = possible.slice(0, end === -1 ? possible.length : end);
  // A heading without what stands under it says nothing.
  const kept = fitting.slice(0, fitting.findLastIndex(({ piece }) => piece.line !== undefined) + 1);
  const pieces = kept.map(({ piece }) => piece);
  const isKept = new Set(pieces);
  const text = pieces.length === 0 ? '' : [`# ${draft.title}`, ...pieces.map((piece) => piece.text)].join('\n');
  const tokens = text === '' ? 0 : kept.reduce((sum, { cost }) => sum + cost, heading);
  return {
    section: { name: draft.name, source_files: draft.files, tokens, entries: toIds(pieces) },
    text,
    kept: pieces,
    left: fresh.map(({ piece }) => piece).filter((piece) => !isKept.has(piece)),
  };
}

function toLeftOut(section: SectionName, reason: LeftOut['reason'], pieces: readonly Piece[]): LeftOut {
  return { section, reason, entries: toIds(pieces), lines: pieces.filter(({ id }) => id === undefined).length };
}

/** What a section says, one by one. */
function toContextLines({ section, kept }: Filled, userId: string | undefined): readonly ContextLine[] {
  return kept.flatMap(({ line, id, date }) =>
    line === undefined
      ? []
      : {
          section: section.name,
          text: line,
          ...(id !== undefined && { id }),
          ...(date !== undefined && { date }),
          ...(userId !== undefined && { user_id: userId }),
        },
  );
}

/** Builds what turns the workspace into the context of a prompt. */
export function createContextBuilder({ countTokens, userId, language, ...options }: ContextOptions) {
  /** MEMORY.md is of the owner alone, and left out unless it is requested. */
  function findAbsence({ session, include_long_term, sections }: ContextRequest): LeftOut['reason'] | undefined {
    if (session === 'shared') return 'session';
    return include_long_term && (sections?.includes('long_term') ?? true) ? undefined : 'not_asked';
  }
  async function draftAll(request: ContextRequest, written: Language): Promise<readonly Draft[]> {
    const drafts = createDrafts({ ...options, countTokens }, written);
    const { query, sections = sectionNames, days } = request;
    const withoutLongTerm = request.session === 'shared' || !request.include_long_term;
    const makers: Readonly<Record<SectionName, () => Draft | Promise<Draft> | undefined>> = {
      persona: drafts.persona,
      owner: drafts.owner,
      tools: drafts.tools,
      daily: () => drafts.daily(days),
      long_term: () => (withoutLongTerm ? undefined : drafts.longTerm()),
      hits: () => (query?.trim() ? drafts.hits(query, withoutLongTerm) : undefined),
    };
    const wanted = sectionNames.filter((name) => sections.includes(name));
    const made = await Promise.all(wanted.map((name) => makers[name]()));
    return made.filter((draft) => draft !== undefined);
  }
  /** Whether nothing was ever written, rather than left out by the caller or missing for a day. */
  const isEmpty = async (context: string): Promise<boolean> =>
    context === '' && options.index.count() === 0 && (await options.isUnwritten());
  const toCosted = (draft: Draft): Costed => ({
    draft,
    heading: countTokens(`# ${draft.title}\n\n\n`),
    costs: draft.pieces.map(({ text }) => countTokens(`${text}\n`)),
  });

  return async (request: ContextRequest): Promise<LoadedContext> => {
    const written = await language(request.query);
    const costed = (await draftAll(request, written)).map(toCosted);
    const needs = new Map(
      costed.map(({ draft, heading, costs }) => [draft.name, costs.reduce((sum, cost) => sum + cost, heading)]),
    );
    const limits = shareOut(needs, request.token_budget);
    const taken = new Set<string>();
    const filled = costed.map((one) => {
      const result = fill(one, limits.get(one.draft.name) ?? 0, taken);
      for (const id of result.section.entries) taken.add(id);
      return result;
    });
    const absence = findAbsence(request);
    const leftOut = filled.flatMap(({ section, left }) => {
      const still = left.filter(({ id }) => id === undefined || !taken.has(id));
      return still.length === 0 ? [] : [toLeftOut(section.name, 'budget', still)];
    });
    const unreadable = costed.flatMap(({ draft }) =>
      draft.unreadable.map((one) => ({ ...toLeftOut(draft.name, 'unreadable', []), ...one })),
    );
    const allLeftOut = [
      ...leftOut,
      ...unreadable,
      ...(absence === undefined ? [] : [toLeftOut('long_term', absence, [])]),
    ];
    const withheld = costed.find(({ draft }) => draft.withheld !== undefined)?.draft.withheld;
    const context = filled.flatMap(({ text }) => text || []).join('\n\n');
    return {
      context,
      tokens: countTokens(context),
      token_budget: request.token_budget,
      sections: filled.map(({ section }) => section),
      ...(request.lines && { lines: filled.flatMap((one) => toContextLines(one, userId)) }),
      left_out: allLeftOut,
      ...(withheld !== undefined && { withheld }),
      ...((await isEmpty(context)) && { hint: wordsOf(written).files.empty }),
    };
  };
}
