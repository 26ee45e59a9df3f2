/** The signs by which chat templates and interfaces divide speakers; they have no place in a fact. Lower case. */
export const chatMarkup: readonly RegExp[] = [
  // ChatML, Llama 3, Phi and their like: <|im_start|>, <|eot_id|>
  /<\|[a-z_]{2,30}\|>/u,
  // Llama 2 and Mistral
  /\[\/?inst\]|<<\/?sys>>/u,
  // Sections of prompts written with tags, and tool calls as models write them
  /<\/?(?:system|assistant|instructions?|system[_-]?(?:prompt|message|instructions?|reminder)|developer|tool_(?:call|use|result)s?|function_(?:call|result)s?|invoke)(?:\s[^<>]{0,100})?>/u,
  /\[(?:system|assistant|system (?:message|prompt|note|instructions?)|\/?instructions?)\]/u,
  // Alpaca: "### Instruction:", and what imitates it
  /^[ \t]*#{1,6} ?(?:new |updated )?(?:system|instructions?|assistant|human|response|developer)(?: (?:prompt|message|instructions?))? ?:/mu,
  /^[ \t]*#{3,6} ?(?:system|instructions?|assistant|human)(?: (?:prompt|message|instructions?))?[ \t]*$/mu,
  // Turns of a transcript
  /^[ \t>*-]*(?:human|assistant|system|system (?:prompt|message|note|override))\*{0,2} ?:/mu,
  /^[ \t>*-]*(?:系统(?:提示词?|指令|消息|信息|通知)?|助手|助理|人类) ?:/mu,
  /["']role["'] ?: ?["'](?:system|assistant|developer|tool)["']/u,
  /(?<!-)-{3,40} ?(?:begin|end|start)(?: of)?(?: the)? (?:system|prompt|instructions?|context|user input)/u,
  // A picture whose address carries data away
  /!\[[^\]\n]{0,100}\]\(https?:\/\//u,
];
