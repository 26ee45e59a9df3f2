/** How a definition is written: what is explained, then how. */
const DEFINITIONS: readonly RegExp[] = [
  /^(?<concept>[^\n:：。.!?！？]{1,80}?)\s*[:：]\s*(?<definition>\S[\s\S]*)$/u,
  /^(?<concept>[^\n。.!?！？]{1,60}?)(?:是指|指的是|的意思是|意思是|定义为|是一[种个类门项])(?<definition>\S[\s\S]*)$/u,
  /^(?<concept>[^\n。.!?！？]{1,40}?)是(?<definition>\S[\s\S]*)$/u,
  /^(?<concept>[^\n.!?]{1,80}?)\s+(?:is|are|means|refers to|stands for|denotes)\s+(?<definition>\S[\s\S]*)$/iu,
];

/** What a text explains and how; undefined when it does not read as an explanation. */
export function findConcept(text: string): { readonly concept: string; readonly definition: string } | undefined {
  for (const pattern of DEFINITIONS) {
    const { concept = '', definition = '' } = pattern.exec(text.trim())?.groups ?? {};
    // The scheme of an address is no concept, nor is an hour.
    if (concept !== '' && definition !== '' && !/^(?:https?|\d+)$/iu.test(concept)) {
      return { concept: concept.trim(), definition: definition.trim() };
    }
  }
  return undefined;
}
