import { toConversation } from '../memories/conversation-text.ts';
import { type Memory, toRows } from '../memories/memory.ts';

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

/** Writes memories as Markdown that people can read, day by day. */
export function toMarkdown(memories: readonly Memory[], { title, language, undated }: DocumentOptions): string {
  const lines = toRows(memories, language).flatMap((row) => {
    if (row.kind === 'day') return ['', `## ${toMarkdownText(row.day ?? undated)}`, ''];
    const said = toConversation(row.memory.text);
    if (said.length === 0) return [`- ${toMarkdownText(row.memory.text)}`];
    return said.map(({ speaker, words }) => {
      const name = speaker === undefined ? '' : `**${toMarkdownText(speaker)}** `;
      return `- ${name}${toMarkdownText(words)}`;
    });
  });
  return [`# ${toMarkdownText(title)}`, ...lines, ''].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const toHtmlText = (text: string): string => text.replace(/[&<>"]/gu, (one) => ENTITIES[one] ?? one);

/** Writes memories as a page of its own, day by day. */
export function toHtml(memories: readonly Memory[], { title, language, undated }: DocumentOptions): string {
  const parts = toRows(memories, language).map((row) => {
    if (row.kind === 'day') return `<h2>${toHtmlText(row.day ?? undated)}</h2>`;
    const said = toConversation(row.memory.text);
    const lines = said.length > 0 ? said : [{ speaker: undefined, words: row.memory.text }];
    const written = lines.map(({ speaker, words }) =>
      speaker === undefined ? toHtmlText(words) : `<b>${toHtmlText(speaker)}</b> ${toHtmlText(words)}`,
    );
    return `<p>${written.join('<br>')}</p>`;
  });
  const style = 'body{font:1rem/1.5 sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem}p{white-space:pre-wrap}';
  const head = `<meta charset="utf-8"><title>${toHtmlText(title)}</title><style>${style}</style>`;
  const body = [`<h1>${toHtmlText(title)}</h1>`, ...parts].join('\n');
  return `<!doctype html>\n<html lang="${language}"><head>${head}</head><body>\n${body}\n</body></html>\n`;
}
