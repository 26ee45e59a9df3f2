const ASSISTANT =
  /^(?:assistant|ai|bot|chat ?bot|model|chatgpt|gpt(?:-?\d\S*)?|claude|gemini|助手|助理|机器人|智能助手|人工智能)$/iu;

/** Whether a speaker of a conversation is named as assistants are. */
export function isAssistantName(name: string): boolean {
  return ASSISTANT.test(name);
}
