import type {
  ExtractorInfo,
  JsonObject,
  ProcessTranscriptRequest,
  ProcessTranscriptResponse,
} from '@contextloom/contracts';
import { NOT_STORED } from '@contextloom/contracts';
import { memoryProcessor as contract } from '@contextloom/contracts/memory-processor';
import { withoutPrivateMessages } from '@contextloom/safety/private';
import { defineOperation } from '@contextloom/server-kit';
import { toModelUsage, toNotSaved, toReadingFields, toRetractedFields, toRetractedSentences } from '../answers.ts';
import type { RunOptions, UndatedTurns } from '../domain/ingest/recording.ts';
import type { Job, Wait } from '../domain/jobs/job-queue.ts';
import type { MemoryProcessor, TranscriptRequest } from '../domain/memory-processor.ts';
import { isRetractionReason } from '../domain/retractions/without-retracted.ts';
import { RULES } from '../domain/rules-name.ts';
import { type MemoryProcessorContext, type MemoryProcessorDeps, readInCall } from './deps.ts';
import { exampleExtractor, exampleHistory, exampleMemory } from './examples.ts';
import { STORE_CONVERSATION } from './jobs/fields.ts';

type Outcome = Awaited<ReturnType<MemoryProcessor['processTranscript']>>;
type Names = Pick<Outcome, 'transcript' | 'transcripts'>;

const count = (n: number, one = 'memory', many = 'memories'): string => `${n} ${n === 1 ? one : many}`;

/** The name of the one conversation, or those of several. */
function toNames({ transcript, transcripts }: Names) {
  return transcripts.length > 1 ? { transcript_ids: [...transcripts] } : { transcript_id: transcript };
}

/** Says in one line what was saved, what was known, and who rated it. */
function toMessage({ saved, known, notSaved, failed, unread, waitsUntil, ...names }: Outcome, by: string): string {
  const { transcripts, retracted } = names;
  const low = notSaved.filter(({ reason }) => reason.startsWith('importance below')).length;
  const repeated = notSaved.filter(({ reason }) => reason.startsWith('known already')).length;
  const overruled = notSaved.filter(({ reason }) => isRetractionReason(reason)).length;
  const doubtful = notSaved.length - low - repeated - overruled;
  const parts = [
    transcripts.length > 1 ? `${transcripts.length} conversations.` : '',
    saved.length > 0 || known === 0 ? `Saved ${count(saved.length)}, rated by ${by}.` : 'Nothing new.',
    known > 0
      ? `${count(known, 'piece', 'pieces')} of ${transcripts.length > 1 ? 'them' : 'this conversation'} had been saved before.`
      : '',
    ...toRetractedSentences(retracted),
    low > 0 ? `Left out ${low} of low importance; force_save saves them too.` : '',
    repeated > 0 ? `${count(repeated, 'fact', 'facts')} had been said before.` : '',
    doubtful > 0 ? `Left out ${doubtful} that what was said does not bear out; not_saved tells why.` : '',
    failed.length > 0
      ? `No facts could be drawn from ${count(failed.length, 'piece', 'pieces')}; failed tells why.`
      : '',
    unread > 0 && waitsUntil === undefined
      ? `The same call again has the model read ${count(unread, 'piece', 'pieces')} that it could not be asked for.`
      : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

const toName = ({ kind, name }: ExtractorInfo): string => (kind === 'rules' ? 'written rules' : `the model ${name}`);

/** Who made the memories: rules, if the model could be asked for none of them. */
function toActualExtractor({ windows, known, unread }: Outcome, { extractor }: MemoryProcessor): ExtractorInfo {
  return unread > 0 && unread === windows - known ? { kind: 'rules', name: RULES } : extractor;
}

function toUndatedTurns(given: ProcessTranscriptRequest['undated_turns'], usual: UndatedTurns): UndatedTurns {
  if (given === undefined) return usual;
  return given === 'call' || given === 'none' ? given : new Date(given);
}

function toRequest(
  args: ProcessTranscriptRequest,
  { undatedTurns }: Pick<MemoryProcessorDeps, 'undatedTurns'>,
): TranscriptRequest {
  return {
    undatedTurns: toUndatedTurns(args.undated_turns, undatedTurns),
    userId: args.user_id,
    conversationHistory: args.conversation_history,
    conversationDate: args.conversation_date,
    transcriptId: args.transcript_id,
    forceSave: args.force_save,
    retryFailed: args.retry_failed,
  };
}

/** Only tells what it would ask of the model. */
async function estimate(request: TranscriptRequest, processor: MemoryProcessor): Promise<ProcessTranscriptResponse> {
  const estimated = await processor.estimateTranscript(request);
  const { windows, known, usage, retracted } = estimated;
  const { extractor } = processor;
  const would = `would be read by ${toName(extractor)} in ${count(usage.calls, 'call', 'calls')}`;
  return {
    success: true,
    message: [
      `Nothing was sent or saved. ${count(windows - known, 'piece', 'pieces')} of ${windows} ${would}.`,
      ...toRetractedSentences(retracted),
    ].join(' '),
    extractor,
    ...toNames(estimated),
    memories_extracted: 0,
    memories_saved: 0,
    memories_known: known,
    saved_memories: [],
    not_saved: [],
    ...toRetractedFields(retracted),
    estimate: {
      ...toModelUsage(usage, processor),
      pieces: windows,
      pieces_known: known,
      price_basis: processor.price(usage).basis,
    },
  };
}

/** What a call answers, and what it came to. */
interface Recorded {
  readonly answer: ProcessTranscriptResponse;
  readonly outcome: Outcome;
}

/** Records a conversation, and tells what came of it. */
export async function recordConversation(
  args: ProcessTranscriptRequest,
  deps: Pick<MemoryProcessorDeps, 'processor' | 'undatedTurns'>,
  options: RunOptions,
): Promise<Recorded> {
  const { processor } = deps;
  const outcome = await processor.processTranscript(toRequest(args, deps), options);
  const extractor = toActualExtractor(outcome, processor);
  const answer = {
    success: true as const,
    message: toMessage(outcome, toName(extractor)),
    extractor,
    ...toNames(outcome),
    memories_extracted: outcome.saved.length + outcome.notSaved.length,
    memories_saved: outcome.saved.length,
    memories_known: outcome.known,
    saved_memories: [...outcome.saved],
    not_saved: toNotSaved(outcome.notSaved),
    ...toRetractedFields(outcome.retracted),
    ...toReadingFields(outcome, processor),
  };
  return { answer, outcome };
}

/** Has the rest of a conversation read by a job once there is a budget for it; its pieces are found by words meanwhile. */
async function readLater(args: ProcessTranscriptRequest, { answer, outcome }: Recorded, deps: MemoryProcessorDeps) {
  const { waitsUntil, unread } = outcome;
  if (unread === 0 || waitsUntil === undefined) return answer;
  const reason = `${count(unread, 'piece is', 'pieces are')} to be read once there is a budget`;
  const { id } = await addJob(args, deps, { reason, notBefore: waitsUntil.getTime() });
  const message = `${answer.message} ${reason}, from ${waitsUntil.toISOString()} on, by job ${id}.`;
  return { ...answer, message, job_id: id };
}

/** Keeps a conversation as a job, and answers once that is durable. What cannot be read is refused here, as it is without a job. */
async function enqueue(args: ProcessTranscriptRequest, deps: MemoryProcessorDeps): Promise<ProcessTranscriptResponse> {
  const { processor } = deps;
  processor.checkTranscript(toRequest(args, deps));
  const { id, state } = await addJob(args, deps);
  return {
    success: true,
    message: `Job ${id} is ${state}: get_job tells how far it is.`,
    job_id: id,
    extractor: processor.extractor,
    memories_extracted: 0,
    memories_saved: 0,
    saved_memories: [],
    not_saved: [],
  };
}

async function addJob(args: ProcessTranscriptRequest, deps: MemoryProcessorDeps, waits?: Wait): Promise<Job> {
  const { user_id: userId, wait: _wait, idempotency_key: idempotencyKey, ...payload } = args;
  const { jobs, clock, newId } = deps;
  const usual = args.undated_turns ?? deps.undatedTurns;
  // The time of the call is that of this call, whenever the conversation is read.
  const undated_turns = usual === 'call' ? clock().toISOString() : usual;
  return jobs.add({
    id: newId(),
    userId,
    kind: STORE_CONVERSATION,
    payload: toJsonObject({
      ...payload,
      conversation_history: withoutPrivateMessages(payload.conversation_history),
      undated_turns,
    }),
    idempotencyKey,
    waits,
  });
}

const toJsonObject = (value: object): JsonObject => JSON.parse(JSON.stringify(value));

/** Reads a conversation and saves its memories. */
export const processTranscript = defineOperation({
  name: 'process_transcript',
  title: 'Remember a conversation',
  description:
    'Reads a conversation, or several in one text, and saves its memories for one user: the conversation itself in short pieces, and facts drawn from it. The same conversation again saves nothing twice; when it has grown, only what is new is read.',
  effect: 'adds',
  hints: { isIdempotent: true, isOpenWorld: true },
  scope: 'user',
  ...contract.process_transcript,
  example: {
    input: { user_id: 'ann', conversation_history: exampleHistory, transcript_id: 'chat-1' },
    output: {
      success: true,
      message: 'Saved 1 memory, rated by written rules.',
      extractor: exampleExtractor,
      transcript_id: 'chat-1',
      memories_extracted: 1,
      memories_saved: 1,
      memories_known: 0,
      saved_memories: [{ id: 'memory-1', ...exampleMemory }],
      not_saved: [],
    },
  },
  // A message of nothing but what is private is left out, and the others stay.
  leaveOut: 'self',
  run: async (args, context: MemoryProcessorContext) => {
    const { deps, signal, reportProgress } = context;
    if (args.store === false) return { ...NOT_STORED, extractor: deps.processor.extractor };
    if (args.dry_run) return estimate(toRequest(args, deps), deps.processor);
    if (args.wait === false) return enqueue(args, deps);
    const onProgress = (done: number, total: number): void => reportProgress(done, total, `${done} of ${total} pieces`);
    const recorded = await readInCall(context, () => recordConversation(args, deps, { signal, onProgress }));
    return readLater(args, recorded, deps);
  },
});
