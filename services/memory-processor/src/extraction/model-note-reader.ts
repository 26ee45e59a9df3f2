import { isContextloomError, noteTypes } from '@contextloom/contracts';
import { type ChatModel, countTokens, cutToTokens } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import { isInstruction, maskSecrets } from '@contextloom/safety';
import type { Turn } from '@contextloom/transcripts/transcript';
import { z } from 'zod';
import type { ModelBudget } from '../domain/budget/model-budget.ts';
import type { Note, NoteReader, Notes } from '../domain/notes/note-reader.ts';
import { findNotes } from '../domain/notes/rules-reader.ts';
import { sumUsage } from '../domain/usage.ts';
import { toNotesMessages } from '../prompts/notes-prompt.ts';

/** Most tokens that are read in one call, and of one turn: what is longer is pasted text. */
const PIECE_TOKENS = 6_000;
const TURN_TOKENS = 1_500;
const MAX_ANSWER_TOKENS = 4_000;
const MAX_NOTE_LENGTH = 1_000;

const noteSchema = z.object({
  content_type: z.enum(noteTypes),
  content: z.string().trim().min(1).max(MAX_NOTE_LENGTH),
});
const shape = { name: 'notes', schema: z.object({ notes: z.array(noteSchema) }) };

interface Piece {
  readonly text: string;
  readonly turns: readonly Turn[];
}

function toPieces(turns: readonly Turn[]): readonly Piece[] {
  const pieces: { text: string; turns: Turn[]; tokens: number }[] = [];
  for (const turn of turns) {
    const text = `${turn.speaker}: ${cutToTokens(maskSecrets(turn.text).text, TURN_TOKENS)}`;
    const tokens = countTokens(text);
    const last = pieces.at(-1);
    if (last === undefined || last.tokens + tokens > PIECE_TOKENS) pieces.push({ text, turns: [turn], tokens });
    else {
      last.text += `\n\n${text}`;
      last.turns.push(turn);
      last.tokens += tokens;
    }
  }
  return pieces;
}

/** Words with a digit, a path or the spelling of code in them: they stand in the session, or they were made up. */
const EXACT = /[\p{L}\p{N}]*(?:\p{N}|[\p{L}\p{N}][_/]|\p{Ll}\p{Lu})[\p{L}\p{N}_./-]*/gu;

/** Whether all names and numbers of a note were said. */
function isGrounded(note: string, said: string): boolean {
  const text = said.toLowerCase();
  return (note.match(EXACT) ?? []).every((word) => text.includes(word.toLowerCase().replace(/[./-]+$/u, '')));
}

/** What a model reader asks with. */
export interface ModelNoteReaderOptions {
  readonly model: ChatModel;
  /** Bounds what the model is asked for; without it nothing does. */
  readonly budget?: Pick<ModelBudget, 'refuse'> | undefined;
  readonly log: Log;
}

type PieceNotes = Notes & { readonly problem?: string };

async function readPiece({ text, turns }: Piece, { model, budget, log }: ModelNoteReaderOptions, signal: AbortSignal) {
  const byRules = (problem: string): PieceNotes => {
    log.warn({ problem }, 'written rules read a part of the session in place of the model');
    return { notes: findNotes(turns), problem };
  };
  try {
    const refusal = await budget?.refuse();
    if (refusal !== undefined) return byRules(refusal.reason.replace('to be read: ', ''));
    const request = { messages: toNotesMessages(text), maxTokens: MAX_ANSWER_TOKENS, temperature: 0, signal };
    const answer = await model.completeJson(request, shape);
    const usage = { calls: 1, inputTokens: answer.usage.input, outputTokens: answer.usage.output };
    if (answer.kind !== 'ok') return { ...byRules(answer.detail), usage };
    const at = turns.findLast((turn) => turn.at !== undefined)?.at;
    const notes = answer.value.notes
      .filter(({ content }) => isGrounded(content, text) && !isInstruction(content))
      .map(({ content_type: type, content }): Note => ({ type, content: maskSecrets(content).text, at }));
    return { notes, usage };
  } catch (error) {
    if (signal.aborted || !isContextloomError(error)) throw error;
    return byRules(error.message);
  }
}

/** The reader that asks a model, part by part; what it gives no usable answer to, written rules read. */
export function createModelNoteReader(options: ModelNoteReaderOptions): NoteReader {
  return {
    info: { kind: 'model', name: options.model.model },
    read: async (turns, signal) => {
      const pieces = toPieces(turns.filter(({ voice, text }) => voice !== 'system' && text !== ''));
      const read: PieceNotes[] = [];
      for (const piece of pieces) read.push(await readPiece(piece, options, signal));
      return {
        notes: read.flatMap(({ notes }) => notes),
        usage: sumUsage(read.map(({ usage }) => usage)),
        failed: read.flatMap(({ problem }, at) =>
          problem === undefined ? [] : [{ source: `part ${at + 1} of ${pieces.length}`, reason: problem }],
        ),
      };
    },
  };
}
