import type { Out, Reader, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { SOUNDS } from '../templates/programs.ts';
import { toHtmlText } from '../text/html-text.ts';
import { isName } from '../text/speaker-name.ts';
import { isSender } from '../text/unknown-chat.ts';

const CLOCK = String.raw`(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}`;
/** When a cue is shown; YouTube's own form has a comma in place of the arrow. */
const TIMES = new RegExp(
  String.raw`^(?:${CLOCK}\s+-->\s+${CLOCK}|\d{1,3}:\d{2}:\d{2}\.\d{3},\d{1,3}:\d{2}:\d{2}\.\d{3}$)`,
  'u',
);
/** So many lines tell whether captions roll. */
const MAX_SEEN = 400;
const VOICE = /^<v(?:\.[^\s<>]{1,40})?\s+([^<>]{1,100})>/u;
/** A sound that programs write by themselves, such as `[Music]`, or notes without words. */
const isSound = (line: string): boolean => /^[♪♫\s]+$/u.test(line) || SOUNDS.has(line.trim().toLowerCase());
const NAMED = /^(?:[-–]\s?)?([^:：<>]{1,60})[:：]\s+(.*)$/su;

/** Who says a line of a cue, and what: `<v Ann>words</v>` or `Ann: words`. */
function toSpoken(line: string): { speaker: string | undefined; text: string } {
  const voice = VOICE.exec(line)?.[1];
  if (voice !== undefined) return { speaker: toHtmlText(voice), text: toHtmlText(line) };
  const text = toHtmlText(line);
  const [, name, words] = NAMED.exec(text) ?? [];
  return name !== undefined && words !== undefined && (isName(name) || isSender(name))
    ? { speaker: name.trim().replace(/^\[(.+)\]$/u, '$1'), text: words }
    : { speaker: undefined, text };
}

/** Karaoke marks in the words of a cue: `hello<00:00:00.480><c> and</c>`. */
const MOMENT = /<\d[\d:.]{0,20}>/gu;

/** The lines of each cue at the beginning of a text. */
function toCues(lines: readonly string[]): readonly (readonly string[])[] {
  const cues: string[][] = [];
  let isInside = false;
  for (const line of lines) {
    if (TIMES.test(line.trim())) cues.push([]);
    if (TIMES.test(line.trim()) || line === '') isInside = TIMES.test(line.trim());
    else if (isInside && line.trim() !== '') cues.at(-1)?.push(toHtmlText(line.replace(MOMENT, '')));
  }
  return cues;
}

/** Captions that roll show each line again in the next cue, above the new one: then half of the cues begin with a line of the one before. */
function areRolling(lines: readonly string[]): boolean {
  const cues = toCues(lines.slice(0, MAX_SEEN)).filter((cue) => cue.length > 0);
  const repeated = cues.filter((cue, at) => {
    const before = cues[at - 1] ?? [];
    // A refrain is sung again line by line: only where cues have two lines do they roll.
    return before.at(-1) === cue[0] && before.length + cue.length > 2;
  }).length;
  return cues.length >= 3 && 2 * repeated >= cues.length - 1;
}

/** Joins what one person says over several cues. What stands outside of cues (notes, styles, numbers) is passed over. */
function createCues(out: Out, isRolling: boolean): Sink {
  let shown: readonly string[] = [];
  let open: { speaker: string | undefined; texts: string[] } | undefined;
  let cue: string[] | undefined;
  let cueAt = '';
  const close = (): void => {
    if (open !== undefined) out.turn({ speaker: open.speaker, role: 'participant', text: open.texts.join(' ') });
    open = undefined;
  };
  const endCue = (): void => {
    // A name stands for the rest of its cue: who speaks in the next one is not known, unless it tells again.
    let speaker: string | undefined;
    const lines = (cue ?? []).map((line) => line.replace(MOMENT, ''));
    const fresh = isRolling ? lines.filter((line) => !shown.includes(toHtmlText(line))) : lines;
    if (cue !== undefined) shown = lines.map(toHtmlText).filter((line) => line !== '');
    for (const line of fresh) {
      if (isSound(line)) {
        out.leftOut('sound', cueAt, line.trim());
        continue;
      }
      const spoken = toSpoken(line);
      speaker = spoken.speaker ?? (/^[-–]/u.test(line) ? undefined : speaker);
      if (spoken.text === '') continue;
      if (open !== undefined && speaker === open.speaker) open.texts.push(spoken.text);
      else {
        close();
        open = { speaker, texts: [spoken.text] };
      }
    }
    cue = undefined;
  };
  return createLineSink(
    (line, number) => {
      if (TIMES.test(line.trim())) {
        endCue();
        [cue, cueAt] = [[], `line ${number}`];
        // A line of blanks stands above the first words of captions that roll.
      } else if (line === '' || (line.trim() === '' && !isRolling)) endCue();
      else cue?.push(line);
    },
    () => {
      endCue();
      close();
    },
  );
}

/** WebVTT, SubRip and SubViewer: time codes are no words, and the cue names the speaker, if anything does. */
export const subtitles: Reader = {
  name: 'subtitles',
  title: 'subtitles (WebVTT, SRT, SBV)',
  detect: ({ lines }) => {
    const first = lines.find((line) => line.trim() !== '')?.replace(/^\uFEFF/u, '') ?? '';
    return (
      /^WEBVTT(?:\s|$)/u.test(first) ||
      (TIMES.test(first.trim()) && !first.includes('-->')) ||
      (/^\d+$/u.test(first.trim()) && lines.slice(0, 6).some((line) => TIMES.test(line.trim())))
    );
  },
  read: (out, { file, sample }) => {
    out.conversation({
      title: file
        .split(/[/\\]/u)
        .at(-1)
        ?.replace(/\.\w{2,4}$/u, ''),
    });
    out.note('subtitles tell no date: give --date');
    return createCues(out, areRolling(sample.lines));
  },
};
