/** How a definition is written: what is explained, then how. */
const DEFINITIONS: readonly RegExp[] = [
  /^(?<concept>[^\n:：。.!?！？]{1,80}?)\s*[:：]\s*(?<definition>\S[\s\S]*)$/u,
  /^(?<concept>[^\n。.!?！？]{1,60}?)(?:是指|指的是|的意思是|意思是|定义为|是一[种个类门项])(?<definition>\S[\s\S]*)$/u,
  /^(?<concept>[^\n。.!?！？]{1,40}?)是(?<definition>\S[\s\S]*)$/u,
  /^(?<concept>[^\n.!?]{1,80}?)\s+(?:is|are|means|refers to|stands for|denotes)\s+(?<definition>\S[\s\S]*)$/iu,
];

/** What is no concept: an hour, and a word that points at something without naming it. */
const NO_CONCEPT =
  /^(?:[\d:.]+|i|you|he|she|it|we|they|this|that|these|those|there|here|what|who|where|when|why|how|today|tomorrow|yesterday|[我你他她它]们?|[这那谁]|什么|今天|明天|昨天|现在)$/iu;

/** What a text explains and how; undefined when it does not read as an explanation. */
export function findConcept(text: string): { readonly concept: string; readonly definition: string } | undefined {
  for (const pattern of DEFINITIONS) {
    const { concept = '', definition = '' } = pattern.exec(text.trim())?.groups ?? {};
    // A definition that begins with slashes is the rest of an address.
    if (concept !== '' && definition !== '' && !NO_CONCEPT.test(concept.trim()) && !definition.startsWith('//')) {
      return { concept: concept.trim(), definition: definition.trim() };
    }
  }
  return undefined;
}
