import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { READING_FOLDER } from '@contextloom/runtime';
import type { z } from 'zod';
import type { ChatAnswer, ChatModel, ChatRequest, JsonShape } from '../chat/chat-model.ts';
import { toJsonOrder } from '../chat/strict-schema.ts';
import { judgeAnswer } from '../openai/chat.ts';
import { type Program, type ProgramName, programs } from './programs.ts';

/** Which program answers, and how. */
export interface ProgramModelOptions {
  readonly provider: ProgramName;
  /** The program's own choice when absent. */
  readonly model?: string | undefined;
  /** How long one answer may take, in milliseconds. */
  readonly timeoutMs: number;
  /** The variables that the program is started with; those of this process when absent. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** What a program may print, in UTF-16 code units. */
const MAX_OUTPUT = 8_000_000;

/** The messages as one text, since these programs take one. */
function toPrompt({ messages }: ChatRequest, shape: JsonShape<z.ZodType> | undefined): string {
  const texts = messages.map(({ role, content }) => (role === 'assistant' ? `Your answer was:\n${content}` : content));
  return [...texts, ...(shape === undefined ? [] : [toJsonOrder(shape)])].join('\n\n');
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly args: readonly string[];
  readonly input: string;
  readonly cwd: string;
  readonly env: ProgramModelOptions['env'];
  readonly signal: AbortSignal;
}

/** Runs a program to its end. @throws the error of its start */
function runProgram(command: string, { args, input, cwd, env, signal }: RunOptions): Promise<Ran> {
  return new Promise((done, fail) => {
    // On Windows these programs are command files, which only a shell can start; no argument holds what somebody said.
    const shell = process.platform === 'win32';
    const child = spawn(
      command,
      args.map((arg) => (shell && arg === '' ? '""' : arg)),
      { cwd, signal, shell, ...(env !== undefined && { env }) },
    );
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length < MAX_OUTPUT) stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-4_000);
    });
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout, stderr }));
    // One that ends before it has read all reports by its exit code.
    child.stdin.on('error', () => undefined).end(input);
  });
}

const SIGNED_OUT = /log ?in|sign(?:ed)? in|authenticat|unauthori[sz]ed|api[ _-]?key|credential/iu;
const LIMITED = /rate.?limit|usage limit|quota|too many requests|\b429\b|limit reached/iu;

/** A failure in words of ours; those of the program stay in the cause. */
function toFailure({ command, unauthorized }: Program, { code, stderr }: Ran, words: string): ContextloomError {
  const said = `${words}\n${stderr}`;
  const cause = new Error(said.slice(0, 2_000));
  if (LIMITED.test(said)) {
    const message = `${command} takes no more questions: the limit of its account is used up`;
    return new ContextloomError('rate_limited', message, { cause });
  }
  if ((code !== null && unauthorized.includes(code)) || SIGNED_OUT.test(said)) {
    const message = `${command} is not signed in: start it once and sign in`;
    return new ContextloomError('unauthorized', message, { cause });
  }
  const ended = code === 0 ? 'gave no answer that can be read' : `ended with code ${code}`;
  return new ContextloomError('unavailable', `${command} ${ended}: check LLM_PROVIDER`, { cause });
}

/** Says why a program could not be run to its end. */
function toStartFailure(error: unknown, command: string, isLate: boolean): ContextloomError {
  if (isLate) return new ContextloomError('timeout', `${command} did not answer in time`, { cause: error });
  const isMissing = Object(error).code === 'ENOENT';
  const message = isMissing
    ? `${command} is not installed, or not on the PATH of this server: LLM_PROVIDER needs it`
    : `the call of ${command} was ended`;
  return new ContextloomError('unavailable', message, { cause: error });
}

/** Builds a model that answers through an installed coding agent, one question after the other. */
export function createProgramModel({ provider, model, timeoutMs, env }: ProgramModelOptions): ChatModel {
  const program: Program = programs[provider];
  const { command } = program;
  const answerOne = async (request: ChatRequest, shape?: JsonShape<z.ZodType>): Promise<ChatAnswer> => {
    const late = AbortSignal.timeout(timeoutMs);
    const signal = request.signal === undefined ? late : AbortSignal.any([late, request.signal]);
    // An empty folder: what a repository tells agents is not meant here.
    const cwd = await mkdtemp(join(tmpdir(), READING_FOLDER));
    try {
      const input = toPrompt(request, shape);
      const ran = await runProgram(command, { args: program.toArgs(model), input, cwd, env, signal }).catch(
        (error: unknown) => {
          throw toStartFailure(error, command, late.aborted);
        },
      );
      const answer = readAnswer(program, ran);
      request.onText?.(answer.text);
      return answer;
    } finally {
      await rm(cwd, { recursive: true, force: true, maxRetries: 3 });
    }
  };
  // Each answer starts a program of a few hundred megabytes: they take turns.
  let last: Promise<unknown> = Promise.resolve();
  const send = (request: ChatRequest, shape?: JsonShape<z.ZodType>): Promise<ChatAnswer> => {
    const next = last.then(() => answerOne(request, shape));
    last = next.catch(() => undefined);
    return next;
  };
  return {
    model: model ?? provider,
    address: command,
    complete: (request) => send(request),
    completeJson: async (request, shape) => judgeAnswer(await send(request, shape), shape),
  };
}

function readAnswer(program: Program, ran: Ran): ChatAnswer {
  try {
    const answer = program.read(ran.stdout);
    if (answer.kind === 'failed' || ran.code !== 0)
      throw toFailure(program, ran, answer.kind === 'failed' ? answer.words : ran.stdout);
    return { text: answer.text, usage: answer.usage, finish: 'stop' };
  } catch (error) {
    if (error instanceof SyntaxError) throw toFailure(program, ran, ran.stdout);
    throw error;
  }
}
