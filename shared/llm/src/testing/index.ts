export type { Lacks, RecordedBody, RecordedPart, RecordedRequest, Script, Step } from './script.ts';
export { type ScriptedOpenAi, type ScriptedOpenAiOptions, startScriptedOpenAi } from './scripted-openai.ts';
