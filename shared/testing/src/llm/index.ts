export type { Lacks, RecordedBody, RecordedPart, RecordedRequest, Script, Step } from './script.ts';
export * from './scripted-hub.ts';
export { type ScriptedOpenAi, type ScriptedOpenAiOptions, startScriptedOpenAi } from './scripted-openai.ts';
export * from './tiny-model.ts';
