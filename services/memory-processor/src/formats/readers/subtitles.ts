import { toHtmlText } from '../html-text.ts';
import { createLineSink } from '../line-sink.ts';
import type { Out, Reader, Sink } from '../reader.ts';
import { isName } from '../speaker-name.ts';

const TIMES = /^(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}\s+-->\s+(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}/u;
const VOICE = /^<v(?:\.[^\s<>]{1,40})?\s+([^<>]{1,100})>/u;
const NAMED = /^(?:[-–]\s?)?([^:：<>]{1,60})[:：]\s+(.*)$/su;

/** Who says a line of a cue, and what: `<v Ann>words</v>` or `Ann: words`. */
function toSpoken(line: string): { speaker: string | undefined; text: string } {
  const voice = VOICE.exec(line)?.[1];
  if (voice !== undefined) return { speaker: toHtmlText(voice), text: toHtmlText(line) };
  const text = toHtmlText(line);
  const [, name, words] = NAMED.exec(text) ?? [];
  return name !== undefined && words !== undefined && isName(name)
    ? { speaker: name.trim(), text: words }
    : { speaker: undefined, text };
}

/** Joins what one person says over several cues; who speaks is unknown until a cue tells. */
function createCues(out: Out, { joins }: { readonly joins: boolean }): Sink {
  let open: { speaker: string | undefined; texts: string[] } | undefined;
  let cue: string[] | undefined;
  let isNote = false;
  const close = (): void => {
    if (open !== undefined)
      out.turn({ speaker: open.speaker, role: 'participant', text: open.texts.join(joins ? ' ' : '\n') });
    open = undefined;
  };
  const endCue = (): void => {
    for (const line of cue ?? []) {
      const { speaker, text } = toSpoken(line);
      if (text === '') continue;
      // Without a name it goes on with whoever spoke before.
      if (open !== undefined && (speaker === undefined || speaker === open.speaker)) open.texts.push(text);
      else {
        close();
        open = { speaker, texts: [text] };
      }
    }
    cue = undefined;
  };
  return createLineSink(
    (line) => {
      if (TIMES.test(line.trim())) {
        endCue();
        [cue, isNote] = [[], false];
      } else if (line.trim() === '') {
        endCue();
        isNote = false;
      } else if (cue !== undefined) cue.push(line);
      else if (/^(?:NOTE|STYLE|REGION)\b/u.test(line)) isNote = true;
      else if (!isNote && !/^\uFEFF?WEBVTT|^\d+$/u.test(line)) return;
    },
    () => {
      endCue();
      close();
    },
  );
}

/** WebVTT and SubRip: time codes are no words, and who speaks is told by the cue or unknown. */
export const subtitles: Reader = {
  name: 'subtitles',
  title: 'subtitles (WebVTT, SRT)',
  detect: ({ lines }) => {
    const first = lines.find((line) => line.trim() !== '')?.replace(/^\uFEFF/u, '') ?? '';
    return (
      /^WEBVTT(?:\s|$)/u.test(first) ||
      (/^\d+$/u.test(first.trim()) && lines.slice(0, 6).some((line) => TIMES.test(line.trim())))
    );
  },
  read: (out, { file }) => {
    out.conversation({
      title: file
        .split(/[/\\]/u)
        .at(-1)
        ?.replace(/\.\w{2,4}$/u, ''),
    });
    out.note('subtitles tell no date: give --date');
    return createCues(out, { joins: true });
  },
};
