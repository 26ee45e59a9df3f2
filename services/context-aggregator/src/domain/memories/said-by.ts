import { readEpisode, type Trust } from '@contextloom/contracts';
import { findSaidBy, type KnownNames, splitQuoted, toSpeakerTrust, toTurnSaidBy } from '@contextloom/retrieval';
import type { FoundMemory } from './memories.ts';
import { isEpisode } from './prompt-memories.ts';

/** Stands for the words of a turn that a source does not let in. */
const LEFT_OUT = '…';

/** Who says what a line tells of a memory: of an episode the speakers of the turns that it tells, and what they pasted. */
export function findToldBy(memory: FoundMemory, included: string, names: KnownNames): readonly Trust[] {
  const all = findSaidBy(memory, names);
  if (!isEpisode(memory)) return all;
  const turns = readEpisode(included).turns.filter(({ words }) => words.trim() !== LEFT_OUT);
  const speakers = new Set(
    turns.map(({ speaker }) => (speaker === undefined ? undefined : toSpeakerTrust(speaker, names))),
  );
  const isPasted = speakers.has('user') || speakers.has('other') || speakers.has(undefined);
  return all.filter((one) => (one === 'document' ? isPasted : speakers.has(one)));
}

/** The turns of an episode, with those that may not be included by their speaker alone; undefined where none may. */
function withAllowedTurns(content: string, allowed: readonly Trust[], names: KnownNames): string | undefined {
  const { date, turns } = readEpisode(content);
  let isAny = false;
  const lines = turns.map(({ speaker, words, text }) => {
    const [by, pasted] = toTurnSaidBy(speaker, words, names);
    if (by === undefined || !allowed.includes(by)) return speaker === undefined ? LEFT_OUT : `${speaker}: ${LEFT_OUT}`;
    const own = pasted === undefined || allowed.includes(pasted) ? undefined : splitQuoted(words).own.trim();
    if (own !== '') isAny = true;
    return own === undefined ? text : `${speaker}: ${`${own} ${LEFT_OUT}`.trim().replaceAll('\n', '\n  ')}`;
  });
  return isAny ? [...(date === undefined ? [] : [`[${date}]`]), ...lines].join('\n') : undefined;
}

/** A memory as far as a source lets in who said it; undefined where nothing is left. Of an episode turns are left out, and each keeps its place. */
export function keepAllowed(
  memory: FoundMemory,
  allowed: readonly Trust[] | undefined,
  names: KnownNames,
): FoundMemory | undefined {
  if (allowed === undefined) return memory;
  const saidBy = findSaidBy(memory, names);
  if (saidBy.length > 0 && saidBy.every((one) => allowed.includes(one))) return memory;
  const content = isEpisode(memory) ? withAllowedTurns(memory.content, allowed, names) : undefined;
  return content === undefined ? undefined : { ...memory, content };
}
