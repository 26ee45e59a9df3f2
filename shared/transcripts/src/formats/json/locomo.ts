import { z } from 'zod';
import { type Conversation, toTurn, toUniqueLabels } from '../../transcript.ts';
import { dateSchema, isRecord, nameSchema, type ReadOptions, readDate, readShape, under } from '../read.ts';

const SESSION_KEY = /^session_(\d+)$/u;

const locomoTurnSchema = z.object({
  speaker: z.string().max(256),
  text: z.string().default(''),
  dia_id: z.string().max(64).optional(),
  blip_caption: z.string().optional(),
});
type LocomoTurn = z.output<typeof locomoTurnSchema>;

/** The numbers of the sessions that have turns; some files hold dates of sessions that are not there. */
function findSessions(value: Readonly<Record<string, unknown>>): readonly number[] {
  return Object.keys(value)
    .flatMap((key) => (Array.isArray(value[key]) ? (SESSION_KEY.exec(key)?.[1] ?? []) : []))
    .map(Number)
    .sort((a, b) => a - b);
}

function toText({ text, blip_caption: caption }: LocomoTurn): string {
  return [text.trim(), ...(caption === undefined ? [] : [`[photo: ${caption.trim()}]`])].filter(Boolean).join(' ');
}

/** Whether a JSON value is a LoCoMo sample or a LoCoMo conversation. */
export function isLocomo(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const inner = isRecord(value['conversation']) ? value['conversation'] : value;
  return findSessions(inner).length > 0;
}

/**
 * Reads `{sample_id, conversation: {session_<n>: […], session_<n>_date_time}}` or the bare conversation; the caption of a
 * photo follows the words as ` [photo: …]`. Format: snap-research/LoCoMo, `data/locomo10.json`.
 */
export function readLocomo(value: unknown, { at, date }: ReadOptions): Conversation {
  const sample = isRecord(value) ? value : {};
  const inner = isRecord(sample['conversation']) ? sample['conversation'] : sample;
  const id = readShape(nameSchema, sample['sample_id'], under(at, 'sample_id'));
  const sessions = findSessions(inner).map((number) => {
    const label = `session_${number}`;
    const dateKey = `${label}_date_time`;
    const stated = readShape(dateSchema, inner[dateKey], under(at, dateKey));
    const turns = readShape(z.array(locomoTurnSchema), inner[label], under(at, label));
    return {
      label,
      date: readDate(stated, under(at, dateKey)) ?? date,
      turns: turns.map((turn) => toTurn({ id: turn.dia_id, speaker: turn.speaker, text: toText(turn) })),
    };
  });
  return { ...(id !== undefined && { id }), sessions: toUniqueLabels(sessions) };
}
