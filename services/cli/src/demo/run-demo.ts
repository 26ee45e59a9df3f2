import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Aggregator, withAggregator } from '../aggregator.ts';
import { entryFile } from '../composition/installation.ts';
import type { CliContext, GlobalOptions } from '../context.ts';
import { findPort, toBaseUrl } from '../stack/ports.ts';
import { createStack, type Stack } from '../stack/stack.ts';
import { readEmbedderName } from './embedder.ts';
import { type AnsweredQuestion, containsEvidence, type DemoReport, type StoredConversation } from './report.ts';
import type { Scenario } from './scenarios.ts';

/** What the demo's composition is made from. */
interface DemoComposition {
  readonly folder: string;
  readonly personas: readonly string[];
  readonly kbUrl: string;
  readonly execPath: string;
  readonly logLevel: string;
}

/** Long enough for a slow machine: a prompt without its memories would show nothing. */
const SOURCE_DEADLINE_MS = 60_000;

/**
 * Writes the demo's own `mcp_config.json`, so that the demo shows the same thing whatever the user's composition says.
 * @returns the file's path
 */
async function writeComposition(options: DemoComposition): Promise<string> {
  const { folder, personas, kbUrl, execPath, logLevel } = options;
  const server = (service: string, args: readonly string[] = []) => ({
    command: execPath,
    args: [entryFile(service, 'server.js'), ...args],
    env: { KB_URL: kbUrl, LOG_LEVEL: logLevel },
    cwd: folder,
  });
  const mcpServers = {
    ...Object.fromEntries(personas.map((name) => [`persona-${name}`, server('persona', ['--persona', name])])),
    'knowledge-base': server('knowledge-base'),
    'memory-processor': server('memory-processor'),
  };
  const file = join(folder, 'mcp_config.json');
  const aggregator = { source_deadline_ms: SOURCE_DEADLINE_MS };
  await writeFile(file, `${JSON.stringify({ mcpServers, aggregator }, null, 2)}\n`);
  return file;
}

/** What the demo is run with. */
export interface DemoOptions {
  readonly context: CliContext;
  readonly globals: GlobalOptions;
  readonly scenarios: readonly Scenario[];
  /** Asked about each conversation, in order. */
  readonly questionsEach: number;
  /** Leaves the data folder behind. */
  readonly keep: boolean;
  /** Called with one line for each step. */
  readonly onStep: (step: string) => void;
}

const HOST = '127.0.0.1';
const SHOWN_MEMORIES = 5;
const FOUND_MEMORIES = 3;
/** Settings that would lead the demo's services elsewhere or change what they do. */
const SERVICE_SETTINGS = /^(?:KB|CHROMA|EMBEDDING|RERANK|LLM|OPENAI|MEMORY)_/;

/**
 * Runs the main job for real, in a temporary folder: conversations become memories, questions find them, prompts use them.
 * @throws ContextloomError when a service fails; nothing is left running or, unless kept, on disk
 */
export async function runDemo(options: DemoOptions): Promise<DemoReport> {
  const { keep } = options;
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-demo-'));
  const env = Object.fromEntries(Object.entries(options.context.env).filter(([name]) => !SERVICE_SETTINGS.test(name)));
  const context = { ...options.context, env: { ...env, KB_DATA_DIR: join(folder, 'knowledge-base') } };
  const stack = createStack({ context, verbose: options.globals.verbose });
  try {
    return await runIn(folder, stack, { ...options, context });
  } finally {
    await stack.stop();
    if (!keep) await rm(folder, { recursive: true, force: true });
  }
}

async function runIn(folder: string, stack: Stack, options: DemoOptions): Promise<DemoReport> {
  const { context, globals, scenarios, onStep, keep } = options;
  const started = context.now();
  onStep('starting the knowledge base');
  const [kbUrl, embedder] = await Promise.all([startKnowledgeBase(stack), readEmbedderName(context)]);
  const config = await writeComposition({
    folder,
    personas: scenarios.map((scenario) => scenario.persona),
    kbUrl,
    execPath: context.execPath,
    logLevel: globals.verbose ? 'info' : 'error',
  });
  const { url: _none, ...rest } = globals;
  return withAggregator(context, { ...rest, config }, async (aggregator) => {
    const conversations: StoredConversation[] = [];
    for (const scenario of scenarios) {
      onStep(`storing the conversation of ${scenario.user_id}`);
      conversations.push(await storeConversation(aggregator, scenario, context.now));
    }
    const questions: AnsweredQuestion[] = [];
    for (const scenario of scenarios) {
      for (const question of scenario.questions.slice(0, options.questionsEach)) {
        onStep(`asking for ${scenario.user_id}: ${question.text}`);
        questions.push(await answerQuestion(aggregator, scenario, question, context.now));
      }
    }
    return { folder, kept: keep, embedder, conversations, questions, duration_ms: context.now() - started };
  });
}

async function startKnowledgeBase(stack: Stack): Promise<string> {
  const port = await findPort({ host: HOST, port: 0, changeWith: 'another address' });
  const { url } = await stack.start({
    name: 'knowledge-base',
    script: entryFile('knowledge-base', 'service.js'),
    env: { KB_PORT: String(port), KB_HOST: HOST },
    url: toBaseUrl(HOST, port),
  });
  return url;
}

async function storeConversation(
  aggregator: Aggregator,
  scenario: Scenario,
  now: CliContext['now'],
): Promise<StoredConversation> {
  const { user_id, conversation, transcript, turns, sessions, from, to } = scenario;
  const started = now();
  const args = { user_id, conversation_history: transcript };
  const stored = await aggregator.call('store_conversation_memory', args);
  const duration_ms = now() - started;
  const listArgs = { user_id, top_k: SHOWN_MEMORIES };
  const { memories } = await aggregator.call('get_user_memories', listArgs);
  const { memories_extracted, memories_saved, extractor } = stored;
  return {
    user_id,
    conversation,
    turns,
    sessions,
    from,
    to,
    memories_extracted,
    memories_saved,
    duration_ms,
    memories,
    extractor: extractor ?? null,
  };
}

async function answerQuestion(
  aggregator: Aggregator,
  { user_id, user_name, persona, language }: Scenario,
  question: Scenario['questions'][number],
  now: CliContext['now'],
): Promise<AnsweredQuestion> {
  const started = now();
  const searchArgs = { user_id, query: question.text, top_k: FOUND_MEMORIES };
  const { memories } = await aggregator.call('get_user_memories', searchArgs);
  const searched = now();
  const promptArgs = {
    persona_name: persona,
    user_id,
    user_name,
    user_query: question.text,
    memory_top_k: FOUND_MEMORIES,
  };
  const prompt = await aggregator.call('build_prompt_with_context', promptArgs);
  return {
    user_id,
    persona,
    language,
    question: question.text,
    evidence: question.evidence,
    memories,
    prompt,
    found: containsEvidence(memories, question.evidence),
    duration_ms: searched - started,
    prompt_duration_ms: now() - searched,
  };
}
