import { type PromptMark, type PromptOmission, type Trust, toLeastTrust } from '@contextloom/contracts';
import { type KnownNames, readQuestion } from '@contextloom/retrieval';
import { type Grade, gradeHits } from '@contextloom/retrieval/ranking';
import type { SanitizeText } from '../firewall/sanitize-text.ts';
import type { Asking } from '../memories/asking.ts';
import { chooseMemories, type MemoryLimits } from '../memories/choose-memories.ts';
import { toPromptMarks } from '../memories/marks.ts';
import type { FoundMemories, FoundMemory } from '../memories/memories.ts';
import { type Place, toTime } from '../memories/order.ts';
import { isEpisode, type Mark, toOwnTime } from '../memories/prompt-memories.ts';
import { findToldBy, keepAllowed } from '../memories/said-by.ts';
import { type OfferedLine, toOmission } from './lines.ts';

/** Where memories come from, as their lines tell it. */
export interface MemoryOrigin {
  readonly source: string;
  readonly server: string;
  /** Whose names are known: they name the speaker of a memory. */
  readonly known?: KnownNames | undefined;
  /** Whose words the source lets in; all where it does not say. */
  readonly trust?: readonly Trust[] | undefined;
}

/** Memories that a prompt may tell, and what was left out before. */
export interface Screened {
  readonly memories: readonly FoundMemory[];
  readonly leftOut: readonly PromptOmission[];
  /** How much of them is included at most, where they are doubtful. */
  readonly most?: Grade['most'];
}

/** What is included where nothing is looked for. */
const NOTHING: Grade = { minRelevance: Number.POSITIVE_INFINITY };

/** Where in its conversation a memory was said. */
function toPlace({ metadata: { sequence, position } }: FoundMemory): Place | undefined {
  return typeof sequence === 'string' && typeof position === 'number' ? { sequence, position } : undefined;
}

/** A mark as a prompt is explained by it. */
const toPromptMark = ({ until, now, isCorrection = false, by }: Mark): PromptMark => ({
  until,
  ...(now !== undefined && { now }),
  ...(isCorrection && { correction: true as const }),
  by: by.memory,
});

/** Who said a memory, as a prompt is explained by it. */
export function toTrust(saidBy: readonly Trust[]): { readonly trust?: Trust; readonly said_by?: Trust[] } {
  const trust = toLeastTrust(saidBy);
  return { ...(trust !== undefined && { trust }), ...(saidBy.length > 1 && { said_by: [...saidBy] }) };
}

function toLine(
  memory: FoundMemory,
  text: string,
  { source, server, known = {} }: MemoryOrigin,
  replaced: readonly Mark[] = [],
): OfferedLine {
  const time = toOwnTime(memory);
  const { id, score, relevance } = memory;
  return {
    text,
    source,
    server,
    at: toTime(time),
    place: toPlace(memory),
    ...(id !== '' && { id }),
    ...(score !== undefined && { score }),
    ...(relevance !== undefined && { relevance }),
    ...(time !== undefined && { time }),
    ...toTrust(findToldBy(memory, text, known)),
    ...(replaced.length > 0 && { replaced: replaced.map(toPromptMark) }),
  };
}

const leaveOut = (memory: FoundMemory, reason: PromptOmission['reason'], origin: MemoryOrigin): PromptOmission =>
  toOmission(toLine(memory, '', origin), reason);

/**
 * How much a prompt tells of hits, by how sure they are: nothing for a greeting; undefined, which is all that has room, where nothing is
 * asked or a knowledge base tells no relevance.
 */
function toGrade({ memories, confidence }: FoundMemories, { query, names }: Asking): Grade | undefined {
  const relevances = memories.map(({ relevance }) => relevance);
  const grade = query.trim() === '' ? undefined : gradeHits(relevances, confidence);
  return grade !== undefined && readQuestion(query, { names }).isEmpty ? NOTHING : grade;
}

/** Leaves out what is not relevant, and makes data of the rest: nothing of a memory reaches a prompt but through here. */
export function screenMemories(
  found: FoundMemories,
  {
    asking,
    origin,
    sanitize,
  }: { readonly asking: Asking; readonly origin: MemoryOrigin; readonly sanitize: SanitizeText },
): Screened {
  const grade = toGrade(found, asking);
  const leftOut: PromptOmission[] = [];
  const memories = found.memories.flatMap((hit) => {
    if (grade !== undefined && (hit.relevance ?? 0) < grade.minRelevance) {
      leftOut.push(leaveOut(hit, 'not_relevant', origin));
      return [];
    }
    const allowed = keepAllowed(hit, origin.trust, origin.known ?? {});
    if (allowed === undefined) {
      leftOut.push(leaveOut(hit, 'not_trusted', origin));
      return [];
    }
    const { text, held } = sanitize(allowed.content, { hasSpeakers: isEpisode(hit) });
    if (held > 0 || text.trim() === '') leftOut.push(leaveOut(hit, held > 0 ? 'instruction' : 'empty', origin));
    return text.trim() === '' ? [] : [{ ...hit, content: text }];
  });
  return { memories, leftOut, most: grade?.most };
}

/** Chooses the lines that a prompt tells of screened memories, best first, and says which it does not. */
export function toMemoryLines(
  { memories, leftOut, most }: Screened,
  limits: MemoryLimits,
  origin: MemoryOrigin,
): { readonly lines: readonly OfferedLine[]; readonly leftOut: readonly PromptOmission[] } {
  const fitting = chooseMemories(memories, { ...limits, most });
  // A first memory that is too long by itself is shown in part.
  const isShown = fitting.length > 0 || most !== undefined;
  const included = isShown
    ? fitting
    : chooseMemories(memories, { topK: 1, zone: limits.zone, superseded: limits.superseded });
  const chosen = new Set(included.map(({ memory }) => memory));
  const others = memories.filter((memory) => !chosen.has(memory));
  return {
    lines: included.map((one) => toLine(one.memory, one.text, origin, toPromptMarks(one, one.text))),
    leftOut: [...leftOut, ...others.map((memory) => leaveOut(memory, 'not_chosen', origin))],
  };
}
