import type { Language, ServiceStatus } from '@contextloom/contracts';
import type { CallTimes, Upstreams } from '@contextloom/mcp-client';
import type { Log } from '@contextloom/runtime';
import type { TextMeter } from '../../domain/composing/fit.ts';
import type { ContextSources } from '../../domain/context-sources/context-source.ts';
import type { SanitizeText } from '../../domain/firewall/sanitize-text.ts';
import type { Explanations } from '../answers/explanations.ts';
import type { LastAnswers } from '../answers/last-answers.ts';

/** How long the other servers may take, start-up included, in milliseconds. */
export interface Deadlines {
  /** For each source of a prompt, and for every other short question. */
  readonly sourceMs: number;
  /** For turning a conversation into memories, which may call a model many times. */
  readonly storeMs: number;
}

/** What prompts are like where a call does not say. */
export interface PromptSettings {
  readonly maxTokens?: number | undefined;
  readonly notes?: boolean | undefined;
  readonly language?: Language | undefined;
  readonly fence?: boolean | undefined;
}

/** Whether the configuration that is in force is that of the file, and why not. */
export type ConfigurationStatus = ServiceStatus['configuration'];

/** What the tools work with. */
export interface AggregatorDeps {
  readonly upstreams: Upstreams;
  readonly deadlines: Deadlines;
  readonly sources: ContextSources;
  readonly prompts: PromptSettings;
  readonly meter: TextMeter;
  readonly sanitize: SanitizeText;
  readonly lastAnswers: LastAnswers;
  readonly explanations: Explanations;
  /** Absent where the configuration is no file that can change. */
  readonly toConfigurationStatus?: (() => ConfigurationStatus) | undefined;
  /** How long servers take; absent where nobody measures. */
  readonly times?: CallTimes | undefined;
  readonly clock: () => Date;
  /** Where the days of the user begin, an IANA time zone; `UTC` where nothing says. */
  readonly zone?: string | undefined;
  readonly log: Log;
}
