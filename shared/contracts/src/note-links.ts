/** What a name has between its words besides letters: one space stands for it in notes. */
const SPACE = /[\s\p{Cc}\p{Cs}]+/gu;
/** What ends a link, or no file system takes, and the sign that stands for these. */
const UNSAFE = /[[\]|#^/\\:*?"<>%]|^\.|\.$/gu;
const ENCODED = /%([0-7][\dA-F])/gu;
const LINK = /^\[\[(?<target>[^[\]|]*)(?:\|(?<shown>[^[\]]*))?\]\]$/u;
/** Names of files that mean something else, in bundles of notes or on Windows. */
const RESERVED = ['index', 'log', 'con', 'prn', 'aux', 'nul'];
/** Most signs of a name in a file's name: systems take 255 bytes, and a sign has up to four. */
const MAX_FILE = 60;

const encode = (text: string): string =>
  text.replace(UNSAFE, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
const decode = (text: string): string =>
  text.replace(ENCODED, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
/** File systems that keep no case, or write accents in another way, take these for one. */
const toFileKey = (file: string): string => file.normalize('NFKC').toLowerCase();

/** A name in one line, as notes have it. */
export const toNoteName = (name: string): string => name.replace(SPACE, ' ').trim();

/** Gives each name a file of its own: the name itself where that can be one. */
export function createFileNames(taken: Iterable<string>): (name: string) => string {
  const known = new Set([...RESERVED, ...taken].map(toFileKey));
  const numbers = new Map<string, number>();
  return (name) => {
    const base = [...encode(name)].slice(0, MAX_FILE).join('').trim();
    let file = base;
    for (let at = numbers.get(toFileKey(base)) ?? 2; file === '' || known.has(toFileKey(file)); at += 1) {
      file = `${base} (${at})`.trim();
      numbers.set(toFileKey(base), at + 1);
    }
    known.add(toFileKey(file));
    return file;
  };
}

/** A link of Obsidian and other wikis to the note of a name. Source: https://help.obsidian.md/links */
export function writeLink(file: string, name: string): string {
  const shown = encode(name);
  return shown === file ? `[[${file}]]` : `[[${file}|${shown}]]`;
}

/** The name that a link shows, or else leads to; undefined for what is no link. */
export function readLink(text: string): string | undefined {
  const { target, shown } = LINK.exec(text.trim())?.groups ?? {};
  const [path = ''] = (target ?? '').split('#');
  const name = toNoteName(decode(shown ?? path.split('/').at(-1) ?? ''));
  return name === '' ? undefined : name;
}

/** Letters of scripts that put no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]/u;
const isOfWord = (sign: string): boolean => /[\p{L}\p{N}]/u.test(sign) && !UNSPACED.test(sign);
/** Longer names are not looked for. */
const MAX_SOUGHT = 60;

/** Finds which of some names stand in a text as words of their own, in the order in which they first do. */
export function createNameFinder(names: Iterable<string>): (text: string) => readonly string[] {
  const known = new Set([...names].filter(({ length }) => length > 1 && length <= MAX_SOUGHT));
  // The longest first: of "Ann Lee" it is not Ann who is meant.
  const lengths = [...new Set([...known].map(({ length }) => length))].sort((one, other) => other - one);
  return (text) => {
    const found = new Set<string>();
    const ends = (at: number): boolean => !(isOfWord(text.charAt(at - 1)) && isOfWord(text.charAt(at)));
    for (let at = 0; at < text.length; at += 1) {
      if (!ends(at)) continue;
      const length = lengths.find((one) => known.has(text.slice(at, at + one)) && ends(at + one));
      if (length === undefined) continue;
      found.add(text.slice(at, at + length));
      at += length - 1;
    }
    return [...found];
  };
}
