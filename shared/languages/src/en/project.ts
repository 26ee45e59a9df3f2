import type { ProjectWords } from '../language-data.ts';

/** What sentences about projects are known by. */
export const project: ProjectWords = {
  rules:
    "must|never|always|from now on|has to|have to|is required|are required|not allowed|is forbidden|are forbidden|at most|at least|do not|don't|should not|shouldn't|no (?:more )?than|in this (?:repo|repository|project|codebase)",
  strictRules: 'must|not allowed|is forbidden|are forbidden|from now on',
  commands: "(?:please )?(?:never|always|do not|don't|avoid|only ever)",
  polarity:
    "must|not|never|always|do|don't|dont|should|shouldn't|have|has|to|is|are|please|only|ever|you|we|avoid|allowed|required|forbidden|from|now|on",
  bounds: 'at most|at least|no more than|no less than|maximum|minimum|limit|up to',
  decisions:
    "we(?:'ve| have)? (?:decided|chose|chosen|agreed|settled)|i decided|decided (?:to|on|against)|let's (?:use|go with|keep|switch|move|drop|stay)|(?:going|go|went) with|(?:switch|mov)(?:e|ed|ing)? (?:(?:[\\w-]+ ){0,4})(?:to|from)|migrat(?:e|ed|ing) to|in favou?r of|instead of|rather than|replac(?:e|ed|es|ing) (?:(?:[\\w-]+ ){1,4})(?:with|by)|no longer use",
  uses: "(?:we|the team|everything)(?:'re| are| will|'ll)? (?:now )?(?:use|uses|using|keep|store|deploy|moved|switched|picked)",
  causes:
    'root cause|turns? out|turned out|the (?:bug|problem|issue|reason|culprit|cause) (?:is|was)|caused by|fails? (?:because|when|if)|failed because|gotcha|lesson|workaround|happens because',
  tests: 'tests? (?:pass|fail|cover|now)|all \\d+ tests|regression|test suite',
  openEnds:
    'next step|next we|still (?:to do|open|missing|to be done|needs?|have to|has to)|remaining work|follow-up|milestone|left to do|todo|not (?:yet )?(?:done|implemented|finished)(?: yet)?',
  closed:
    'done|finished|complete|completed|implemented|fixed|shipped|merged|resolved|in place|works now|closed|added|released',
  replaced:
    'instead of|rather than|no longer (?:use|uses|using|on|in|with|need|needs|run|runs)|(?:mov|switch|migrat|chang)(?:e|ed|es|ing) (?:(?:the|our|all|its) )?(?:[\\w-]+ ){0,3}?(?:away )?from|replac(?:e|ed|es|ing)|drop(?:ped|s|ping)?|stop(?:ped|s|ping)? using|gave up|got rid of|away from|abandon(?:ed|s|ing)?',
  replacedEnds:
    'to|with|by|in|for|and|but|because|since|so|as|now|any ?more|from|over|in favou?r of|at|on|when|after|everywhere',
  replacedBefore:
    '(?:is|are|was|were|has been|have been|got) (?:now )?(?:replaced|dropped|removed|retired|superseded|gone|abandoned)',
  generic:
    "we(?:'ve|'re)?|i|(?:us|decid|agre|mov|chang|replac|stor|liv|mak|tak)(?:e|ed|es|ing)|keep|keeps|kept|chose|chosen|settled|switch(?:ed|ing)?|go|going|went|run|runs|now|currently|stay|put|let's|everything|team",
  changes:
    'now|from now on|no longer|instead|switch(?:ed|ing)?|mov(?:ed|ing)|migrat(?:ed|ing)|chang(?:ed|ing)|replac(?:ed|ing)|any ?more|as of',
  withdrawn:
    "no longer (?:needed|applies|apply|holds|hold|required|valid|true|used|forbidden|the rule|in force)|is allowed (?:again|now)|are allowed (?:again|now)|allowed again|may now|can now|is gone|are gone|was dropped|were dropped|is obsolete|are obsolete|is lifted|was lifted|withdrawn|fine again|is void|not the rule any ?more|does not apply any ?more|doesn't apply any ?more",
  reasons: 'because|since|so that|due to|as it',
  joints: 'and|but|so|also|then|while|yet',
  tags: {
    stopWords: `
      actually add added adding adds allow allowed allows already also always another any apply applied applies around away
      back became become becomes been best better big bigger call called came change changed changes come comes could
      currently day days decide decided decides decision different do done easily either else enough even ever every
      everybody everything find finds first follow follows found full get gets getting give given gives go goes going gone
      good got happen happened happens help helps hence however ill instead just keep keeps kept know known last later least
      less let like likes likely list long look looks lot made main make makes making many may maybe mean means might
      move moved moves much must need needed needs never new next none nothing now number often old one ones otherwise part
      people per place please possible problem put puts quite rather really reason reasons run runs say says see seen
      several shall simple simply since small something sometimes soon start started starts still stop stopped stops such
      sure take taken takes tell than thing things think three time times today together took toward towards tried tries
      try turn turned turns two us use used useful user uses using usually want wanted wants way ways well went whether
      will within without work worked working works would year years yes yet zero`,
    stopCharacters: '',
  },
  session: { request: 'Asked: ', outcome: 'Outcome: ' },
};
