import type { NoteType } from '@contextloom/contracts';

/** Words by which a sentence of a working session is known to be worth keeping. */
export interface NoteCue {
  readonly type: NoteType;
  /** How much it weighs against other sentences of the session. */
  readonly weight: number;
  /** Whether only the person's words count: a rule that an assistant states is its own. */
  readonly isOfPerson?: boolean;
  readonly words: RegExp;
}

/** The first cue that fits names the type. Alternatives of fixed words only: each is linear in the length of a sentence. */
export const noteCues: readonly NoteCue[] = [
  {
    type: 'requirement',
    weight: 5,
    isOfPerson: true,
    words:
      /\b(?:must|never|always|from now on|has to|have to|is required|not allowed|at most|at least|in this (?:repo|repository|project|codebase))\b|必须|务必|一律|禁止|一定要|不得|不允许|以后都|以后不|只能用|从现在起/iu,
  },
  {
    type: 'insight',
    weight: 5,
    words:
      /\b(?:we(?:'ve| have)? (?:decided|chose|chosen|agreed|settled)|i decided|decided (?:to|on|against)|let's (?:use|go with|keep|switch|move|drop|stay)|(?:going|go|went) with|switch(?:ed|ing)? (?:to|from)|migrat(?:e|ed|ing) to|in favou?r of|instead of|rather than)\b|决定|选定|改用|换成|采用|弃用|定下来|就用|不再使用|而不是/iu,
  },
  {
    type: 'insight',
    weight: 4,
    words:
      /\b(?:root cause|turns? out|turned out|the (?:bug|problem|issue|reason|culprit|cause) (?:is|was)|caused by|fails? (?:because|when|if)|failed because|gotcha|lesson|workaround|happens because)\b|根因|原因是|原因在于|问题是|问题在于|问题出在|原来是|教训|踩坑/iu,
  },
  {
    type: 'testing',
    weight: 2,
    words:
      /\b(?:tests? (?:pass|fail|cover|now)|all \d+ tests|regression|test suite)\b|测试(?:通过|失败|覆盖)|回归测试/iu,
  },
  {
    type: 'plan',
    weight: 2,
    words:
      /\b(?:next step|next we|still (?:to do|open|missing)|remaining work|follow-up|milestone|left to do)\b|下一步|待办|还没做|还需要做|里程碑/iu,
  },
];

/** Reasons make a decision worth more. */
export const reasonWords = /\b(?:because|since|so that|due to|as it)\b|因为|由于|以便|为了/iu;

/** A sentence that goes on with the reason of the one before. */
export const continuesReason = /^(?:because|since|that way|this way|the reason|otherwise|因为|由于|这样|否则|原因)/iu;

/** What an assistant says it is about to do, and courtesies: no later session needs them. */
export const chatter =
  /^(?:let me|i'll|i will|i'm going to|i am going to|now i|now let|i need to|i should|first,? (?:i|let)|looking at|checking|sure|great|perfect|thanks|thank you|sounds good|you're (?:absolutely )?right|让我|我来|我先|我现在|接下来我|好的|谢谢|没问题)/iu;
