// Labelled cases: `# date set`, then turns as `Name: words`, then facts as `+ labels fact` (true) or `- labels fact` (wrong).

/** The cases of a file; labels are the numbers of the turns from 1. */
export function parseCases(text) {
  return text.split(/\n(?=# )/u).flatMap((block) => {
    const [head = '', ...lines] = block.trim().split('\n');
    const [, date, set] = /^# (\S+) (\S+)/u.exec(head) ?? [];
    const said = lines.filter((line) => !/^[+-] /u.test(line) && line.trim() !== '');
    const turns = said.map((line, at) => {
      const [, speaker, words] = /^([^:：]+)[:：]\s*(.*)$/u.exec(line) ?? [];
      const voice = /^(?:assistant|助手)$/u.test(speaker) ? 'assistant' : 'person';
      return { label: String(at + 1), speaker, text: words, voice };
    });
    const ground = { turns, before: [], speakers: [...new Set(turns.map(({ speaker }) => speaker))], date };
    return lines
      .map((line) => /^([+-]) (\S+) (.+)$/u.exec(line))
      .filter((match) => match !== null)
      .map(([, sign, labels, content]) => ({
        ground,
        set,
        isTrue: sign === '+',
        fact: { content, evidence: labels.split(',') },
      }));
  });
}
