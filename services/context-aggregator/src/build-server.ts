import { randomBytes } from 'node:crypto';
import { countTokens, cutToTokens } from '@contextloom/llm';
import { createMcpServer, type McpServerFactory } from '@contextloom/server-kit';
import type { TextMeter } from './domain/composing/fit.ts';
import { rememberTexts } from './domain/composing/remember-texts.ts';
import { DEFAULT_SOURCES } from './domain/context-sources/context-source.ts';
import { type SanitizeText, sanitizeText } from './domain/firewall/sanitize-text.ts';
import { type OperationDeps, SERVICE_NAME } from './operations/deps.ts';
import { isListedInApp, operations } from './operations/index.ts';
import { createExplanations } from './sources/answers/explanations.ts';
import { createLastAnswers } from './sources/answers/last-answers.ts';
import type { AggregatorDeps } from './sources/asking/deps.ts';
import { toCallerUpstreams, withoutForeignFailures } from './sources/asking/wrap-upstreams.ts';

/** What the aggregator tells models of itself. */
export const INSTRUCTIONS =
  'Before answering a user, call build_prompt_with_context and use its text as the system prompt. After a conversation, call store_conversation_memory so that the next prompt remembers it.';

/** Characters of the texts of each kind that are remembered with what was made of them: some thousand episodes. */
const REMEMBERED_CHARACTERS = 4_000_000;

function createSanitizer(): SanitizeText {
  const conversations = rememberTexts((text) => sanitizeText(text, { hasSpeakers: true }), REMEMBERED_CHARACTERS);
  const others = rememberTexts((text) => sanitizeText(text), REMEMBERED_CHARACTERS);
  return (text, { hasSpeakers = false } = {}) => (hasSpeakers ? conversations(text) : others(text));
}

const createMeter = (): TextMeter => ({ countTokens: rememberTexts(countTokens, REMEMBERED_CHARACTERS), cutToTokens });

/** What the operations take from the configuration; what is absent is as without one. */
export interface AggregatorSettings
  extends Pick<AggregatorDeps, 'deadlines'>,
    Partial<Pick<AggregatorDeps, 'sources' | 'prompts'>> {
  /** First-party servers: their failure messages are passed on, and they learn who the caller is; empty by default. */
  readonly ownServers?: ReadonlySet<string>;
}

/** What the aggregator is built from. */
export interface AggregatorOptions
  extends Pick<AggregatorDeps, 'upstreams' | 'log'>,
    Partial<Pick<AggregatorDeps, 'clock' | 'toConfigurationStatus' | 'times' | 'zone'>> {
  readonly version: string;
  /** The secret that hashes of prompts are made with. */
  readonly hashKey?: Uint8Array;
  /** Read by each call, since the configuration may change while the aggregator runs. */
  readonly toSettings: () => AggregatorSettings;
  /** Who may call over HTTP, and who did; absent over stdio. */
  readonly access?: OperationDeps['access'];
}

/** Makes what the operations work with: the same for every profile, so that one knows the prompts that another has built. */
export function createOperationDeps(options: Omit<AggregatorOptions, 'version'>): OperationDeps {
  const { upstreams, log, toSettings, toConfigurationStatus, access, times, zone } = options;
  const { clock = () => new Date(), hashKey = randomBytes(32) } = options;
  const lastAnswers = createLastAnswers(clock);
  const explanations = createExplanations(hashKey);
  return {
    log,
    clock,
    meter: createMeter(),
    sanitize: createSanitizer(),
    toConfigurationStatus,
    access,
    times,
    zone,
    forCaller: (principal) => {
      const { deadlines, sources = DEFAULT_SOURCES, prompts = {}, ownServers = new Set() } = toSettings();
      const screened = withoutForeignFailures(upstreams, ownServers);
      return {
        deadlines,
        sources,
        prompts,
        isOwn: (server) => ownServers.has(server),
        upstreams: toCallerUpstreams(screened, ownServers, principal),
        lastAnswers: lastAnswers.of(principal),
        explanations: explanations.of(principal.name),
      };
    },
    forgetAnswers: (userId) => {
      lastAnswers.clear();
      explanations.forget(userId);
    },
  };
}

/** Builds the aggregator over the servers of a composition; the caller that made the upstreams closes them. */
export function createAggregatorServer(
  options: AggregatorOptions,
  deps: OperationDeps = createOperationDeps(options),
): McpServerFactory {
  const { version, log } = options;
  const about = { name: SERVICE_NAME, version, instructions: INSTRUCTIONS };
  return createMcpServer({ ...about, operations, isListed: isListedInApp, deps, log });
}
