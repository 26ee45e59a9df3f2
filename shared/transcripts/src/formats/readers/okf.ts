import { readEpisode } from '@contextloom/contracts';
import type { Out, Reader, Sample, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { countFrontMatter, readFrontMatter } from '../text/front-matter.ts';
import { hasDays, isChat } from './notes.ts';

/** Files of a bundle that list others, or what happened to them. */
const RESERVED = /(?:^|[/\\])(?:index|log)\.md$/iu;
/** The type of a conversation, whose turns are those of its speakers. */
const CONVERSATION = /^(?:episode|conversation)$/iu;

/** What a program said or a document has is believed no more than an assistant. */
const isOfProgram = (author: string | undefined): boolean =>
  author === 'assistant' || author === 'document' || author === 'tool';

/** Hands on the turns of a conversation; false where its lines are none. */
function putTurns(out: Out, text: string, at: object): boolean {
  const { turns } = readEpisode(text);
  if (turns.length === 0 || turns.some(({ speaker }) => speaker === undefined)) return false;
  for (const { speaker, words } of turns) out.turn({ speaker, text: words, ...at });
  return true;
}

function createConcept(out: Out, { lines, file }: Sample): Sink {
  const above = countFrontMatter(lines);
  const { date, title, type = '', author, description, about } = readFrontMatter(lines);
  const isReserved = RESERVED.test(file);
  const name = file
    .split(/[/\\]/u)
    .at(-1)
    ?.replace(/\.\w{2,8}$/u, '');
  const words: string[] = [];
  const unread: string[] = [];
  if (!isReserved) out.conversation({ title: title ?? name });
  return createLineSink(
    (line, number) => {
      if (number > above && !isReserved) words.push(line);
      else if (line.trim() !== '') unread.push(line);
    },
    () => {
      // Once a file: a bundle has thousands of such lines.
      if (unread.length > 0)
        out.leftOut(isReserved ? 'list of a bundle' : 'properties of a note', 'line 1 on', unread.join('\n'));
      const body = words.join('\n').trim();
      // What is said in a property alone is said all the same.
      const text = body !== '' ? body : (description ?? '');
      const at = date === undefined ? {} : date.endsWith('Z') ? { wall: date.slice(0, 19) } : { at: date };
      if (text === '' || (CONVERSATION.test(type) && putTurns(out, text, at))) return;
      // Whom it is about is said with it, where its own words do not.
      const unnamed = about.filter((one) => !text.includes(one));
      const said = unnamed.length === 0 ? text : `${text} (${unnamed.join(', ')})`;
      out.turn({ role: isOfProgram(author) ? 'assistant' : 'user', text: said, ...at });
    },
  );
}

/**
 * A file of the Open Knowledge Format: Markdown whose front matter has a `type`; notes of basic-memory, which have an address besides,
 * are read as such. Source: https://github.com/GoogleCloudPlatform/knowledge-catalog/blob/main/okf/SPEC.md, version 0.2.
 */
export const okf: Reader = {
  name: 'okf',
  title: 'Open Knowledge Format',
  detect: ({ lines, file }) => {
    const { type, permalink, timestamp, author, okfVersion } = readFrontMatter(lines);
    // A diary or a chat with a type of its own is read as what it is.
    const isOther =
      permalink !== undefined || ((timestamp ?? author) === undefined && (hasDays(lines) || isChat(lines)));
    const isConcept = !isOther && type !== undefined && type.trim() !== '';
    return isConcept || (okfVersion !== undefined && RESERVED.test(file));
  },
  read: (out, { sample }) => {
    out.note("notes are read as their writer's own words, unless their author is the assistant");
    return createConcept(out, sample);
  },
};
