import { toConversation } from '../memories/conversation-text.ts';
import { type Memory, type Row, toRows } from '../memories/memory.ts';

/** What a document of memories is written with. */
export interface DocumentOptions {
  readonly title: string;
  readonly language: string;
  /** What stands above memories without a day. */
  readonly undated: string;
}

/** What of Markdown would be read as more than its letters. */
const MARKDOWN = /[\\`*_{}[\]<>#|~]/gu;
const toMarkdownText = (text: string): string => text.replace(MARKDOWN, '\\$&').replace(/\n+/gu, '  \n  ');

/** A document that is written part by part. */
export interface Document {
  readonly head: string;
  /** The next memories, behind the memory before. */
  readonly toPart: (memories: readonly Memory[], before: Memory | undefined) => string;
  readonly foot: string;
}

/** Memories as Markdown that people can read, day by day. */
export function toMarkdown({ title, language, undated }: DocumentOptions): Document {
  const toLines = (row: Row): readonly string[] => {
    if (row.kind === 'day') return ['', `## ${toMarkdownText(row.day ?? undated)}`, ''];
    const said = toConversation(row.memory.text);
    if (said.length === 0) return [`- ${toMarkdownText(row.memory.text)}`];
    return said.map(({ speaker, words }) => {
      const name = speaker === undefined ? '' : `**${toMarkdownText(speaker)}** `;
      return `- ${name}${toMarkdownText(words)}`;
    });
  };
  return {
    head: `# ${toMarkdownText(title)}\n`,
    toPart: (memories, before) =>
      toRows(memories, language, before)
        .flatMap(toLines)
        .map((line) => `${line}\n`)
        .join(''),
    foot: '',
  };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const toHtmlText = (text: string): string => text.replace(/[&<>"]/gu, (one) => ENTITIES[one] ?? one);

/** Memories as a page of its own, day by day. */
export function toHtml({ title, language, undated }: DocumentOptions): Document {
  const toLine = (row: Row): string => {
    if (row.kind === 'day') return `<h2>${toHtmlText(row.day ?? undated)}</h2>\n`;
    const said = toConversation(row.memory.text);
    const lines = said.length > 0 ? said : [{ speaker: undefined, words: row.memory.text }];
    const written = lines.map(({ speaker, words }) =>
      speaker === undefined ? toHtmlText(words) : `<b>${toHtmlText(speaker)}</b> ${toHtmlText(words)}`,
    );
    return `<p>${written.join('<br>')}</p>\n`;
  };
  const style = 'body{font:1rem/1.5 sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem}p{white-space:pre-wrap}';
  const head = `<meta charset="utf-8"><title>${toHtmlText(title)}</title><style>${style}</style>`;
  return {
    head: `<!doctype html>\n<html lang="${language}"><head>${head}</head><body>\n<h1>${toHtmlText(title)}</h1>\n`,
    toPart: (memories, before) => toRows(memories, language, before).map(toLine).join(''),
    foot: '</body></html>\n',
  };
}
