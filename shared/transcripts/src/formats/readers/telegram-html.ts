import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createHtmlBlocks } from '../sinks/html-blocks.ts';
import { toHtmlText } from '../text/html-text.ts';
import { toWall } from '../text/wall-time.ts';

const MESSAGE = '<div class="message ';
const DATE = 'class="pull_right date details"';

/** The words of the first element whose opening tag has a text in it; undefined without one. */
function readElement(html: string, mark: string, closing: string): string | undefined {
  const at = html.indexOf(mark);
  const start = at < 0 ? -1 : html.indexOf('>', at);
  if (start < 0) return undefined;
  const end = html.indexOf(closing, start);
  return toHtmlText(html.slice(start + 1, end < 0 ? undefined : end));
}

/** `05.03.2024 09:00:00 UTC+01:00`; versions before 2022 write no offset. */
function readTime(html: string): Pick<FoundTurn, 'at' | 'wall'> | undefined {
  const start = html.indexOf(DATE);
  const title = start < 0 ? '' : html.slice(start + DATE.length, start + DATE.length + 80);
  const found = /^\s+title="(\d{2})\.(\d{2})\.(\d{4}) (\d{2}):(\d{2}):(\d{2})(?: UTC([+-]\d{2}:\d{2}))?"/u.exec(title);
  const [, day, month, year, hour, minute, second, offset] = found ?? [];
  const wall = toWall({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  });
  if (found === null || wall === undefined) return undefined;
  if (offset === undefined) return { wall };
  return { at: offset.endsWith('00:00') ? `${wall}Z` : `${wall}${offset}` };
}

/** The name of somebody, without the time that stands in it and the bot that a message came through. */
const toName = (html: string): string => (html.split('\n')[0] ?? '').replace(/ via @\w{1,40}$/u, '').trim();

function createMessages(out: Out): (block: string, at: string) => void {
  let speaker: string | undefined;
  return (block, at) => {
    if (!block.startsWith(`${MESSAGE}default`)) return out.leftOut('service message', at, toHtmlText(block));
    const forwarded = block.indexOf('class="forwarded body"');
    const own = forwarded < 0 ? block : block.slice(0, forwarded);
    const time = readTime(own);
    if (time === undefined) return out.fault(at, 'there is no such date or time');
    // A message that follows one of the same person is written without the name.
    speaker = toName(readElement(own, 'class="from_name"', '</div>') ?? '') || speaker;
    const text = readElement(block, 'class="text"', '</div>') ?? '';
    if (text === '') return out.leftOut('media', at, '');
    const origin =
      forwarded < 0 ? undefined : toName(readElement(block.slice(forwarded), 'class="from_name"', '<span') ?? '');
    // Words that are passed on are not those of whoever sends them.
    const words = origin === undefined ? text : `[forwarded from ${origin.slice(0, 100)}] ${text}`;
    const id = /\bid="message(\d{1,20})"/u.exec(block.slice(0, 200))?.[1];
    out.turn({ ...(id !== undefined && { id }), speaker, role: 'participant', text: words, ...time });
  };
}

/** A chat goes over several files: `messages.html`, `messages2.html`; of all chats, each has a folder. */
function toId(title: string | undefined, file: string): string | undefined {
  const folder = /(?:^|[/\\])(chat_\d{1,8})[/\\][^/\\]*$/u.exec(file)?.[1];
  const parts = [folder, title].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : `telegram-html-${parts.join('-')}`.slice(0, 200);
}

function createPage(out: Out, file: string): Sink {
  const readMessage = createMessages(out);
  const onBlock = (block: string, number: number): void => {
    if (number > 0) {
      readMessage(block, `message ${number}`);
      return;
    }
    const title = readElement(block, 'class="text bold"', '</div>');
    const id = toId(title, file);
    out.conversation({ ...(id !== undefined && { id }), title });
  };
  return createHtmlBlocks({ mark: MESSAGE, name: 'message', onBlock });
}

/** A chat that Telegram Desktop exports as pages. */
export const telegramHtml: Reader = {
  name: 'telegram-html',
  title: 'Telegram export (HTML)',
  detect: ({ text }) => text.includes(MESSAGE) && text.includes(DATE) && text.includes('class="from_name"'),
  read: (out, { file }) => createPage(out, file),
};
