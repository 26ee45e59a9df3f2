/** A question mark, Latin, Chinese or Arabic, with the quotes and brackets that may close behind it. */
const ASKING = /[?？؟][\p{P}\s]*$/u;

/** Whether what somebody says ends on a question, which what comes next may answer. */
export function endsAsking(text: string): boolean {
  return ASKING.test(text);
}
