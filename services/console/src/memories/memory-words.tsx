import { Mark } from '@mantine/core';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { type Said, toConversation } from './conversation-text.ts';
import { markWords, toPassage } from './mark-words.ts';

/** A text of one voice is cut to so many UTF-16 code units in lists; it is whole when it is opened. */
const MOST_SHOWN = 600;
/** A hit is cut to what its lines can show around the words that were found, and what stands around a sentence to less. */
const PASSAGE = 240;
const AROUND = 100;

/** A memory as people read it: sentences with who said them, and of a search the sentence that matched with its surroundings. */
export function MemoryWords({ text, query = '' }: { readonly text: string; readonly query?: string }) {
  const said = toConversation(text);
  if (said.length > 0) return <Bubbles said={toSurroundings(said, query)} query={query} isClipped />;
  return (
    <span className="words clip">
      <Marked text={query === '' ? text.slice(0, MOST_SHOWN) : toPassage(text, query, PASSAGE)} query={query} />
    </span>
  );
}

interface BubblesProps {
  readonly said: readonly Said[];
  readonly query?: string;
  /** Whether a long one is cut, as in lists. */
  readonly isClipped?: boolean;
}

/** Sentences of a conversation, each with the face of who said it. */
export function Bubbles({ said, query = '', isClipped = false }: BubblesProps) {
  return (
    <span className="bubbles">
      {said.map(({ speaker, words }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same
        <Bubble key={at} speaker={speaker} words={words} query={query} isClipped={isClipped} />
      ))}
    </span>
  );
}

function Bubble({ speaker, words, query, isClipped }: Said & Required<Omit<BubblesProps, 'said'>>) {
  const toName = useNames();
  const name = toName(speaker);
  return (
    <span className="bubble">
      {name !== '' && (
        <span className="face" aria-hidden>
          {toInitials(name)}
        </span>
      )}
      <span className={isClipped ? 'words clip' : 'words'}>
        {name !== '' && <b>{name}</b>} <Marked text={words} query={query} />
      </span>
    </span>
  );
}

function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  if (query === '') return text;
  return markWords(text, query).map(({ text: part, isMatch }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
    isMatch ? <Mark key={at}>{part}</Mark> : <span key={at}>{part}</span>,
  );
}

/** Names whoever speaks: where only the part is known, the person whose page it is, or the assistant. */
function useNames(): (speaker: string | undefined) => string {
  const { tell } = useTexts();
  const { user } = useUser();
  const parts: Readonly<Record<string, string>> = { user, assistant: tell('memory.assistant') };
  return (speaker = '') => parts[speaker.toLowerCase()] ?? speaker;
}

/** The first letters of two words of a name, or the first of a name of one. */
const toInitials = (name: string): string =>
  name
    .split(/\s+/u)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();

const countMatches = (words: string, query: string): number =>
  new Set(markWords(words, query).flatMap(({ text, isMatch }) => (isMatch ? [text.toLowerCase()] : []))).size;

/** What is shown in a list: the sentence with most words of the question, the one before and the one after it; else the first ones. */
function toSurroundings(said: readonly Said[], query: string): readonly Said[] {
  if (query === '') return said.slice(0, 3).map(({ speaker, words }) => ({ speaker, words: words.slice(0, PASSAGE) }));
  const counts = said.map(({ words }) => countMatches(words, query));
  const best = Math.max(0, counts.indexOf(Math.max(...counts)));
  return said.slice(Math.max(0, best - 1), best + 2).map((one) => {
    return { ...one, words: toPassage(one.words, query, one === said[best] ? PASSAGE : AROUND) };
  });
}
