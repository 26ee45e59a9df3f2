/** A line that begins with a number, a bullet, or the word for a step. */
const LISTED =
  /^\s*(?:\d{1,3}[.)、．]\s*|[①-⑳]\s*|[-*•]\s+|step\s+\d+\s*[:.：]?\s*|第[一二三四五六七八九十\d]{1,3}步[:：,，]?\s*)(?<step>\S.*)$/iu;
/** Where a step begins inside a line. */
const COUNTED = /(?:^|[\s;；.。,，])(?:step\s+\d{1,2}|第[一二三四五六七八九十\d]{1,3}步)\s*[:.：,，]?\s*/iu;
const NUMBERED = /(?:^|[\s;；。.,，])(?:\d{1,2}[.)、．]\s*|[①-⑳])(?=\D)/u;
const WORDS =
  /(?:^|[\s,，;；。.])(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|after that|finally|lastly|首先|先(?![生前后进])|其次|然后|接着|再(?=[^次见])|最后)[,，:：]?\s*/iu;
const ARROW = /\s*(?:→|⇒|=>|->)\s*/u;

const clean = (parts: readonly string[]): readonly string[] =>
  parts.map((part) => part.replace(/^[\s,，;；。.、]+|[\s,，;；。.、]+$/gu, '')).filter((part) => part !== '');

/** The parts of a text that its writer calls steps, where nothing else tells them apart. */
export function splitSteps(text: string): readonly string[] {
  const parts = clean(text.replace(/^[^\n:：]{0,80}[:：]\s*/u, '').split(/[;；\n]/u));
  return parts.length >= 2 ? parts : [];
}

/** The steps of a text in order; none when it does not read as several steps. */
export function findSteps(text: string): readonly string[] {
  const listed = text.split('\n').flatMap((line) => {
    const step = LISTED.exec(line)?.groups?.['step'];
    return step === undefined ? [] : [step.trim()];
  });
  if (listed.length >= 2) return listed;
  const body = text.replace(/^[^\n:：]{0,80}[:：]\s*/u, '');
  for (const separator of [COUNTED, NUMBERED, ARROW, WORDS]) {
    const parts = clean(body.split(separator));
    if (parts.length >= 2) return parts;
  }
  return [];
}
