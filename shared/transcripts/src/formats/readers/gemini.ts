import { z } from 'zod';
import { fromIso } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { toHtmlText } from '../text/html-text.ts';
import { createDays, isPrompted } from './gemini-days.ts';

const activitySchema = z.looseObject({
  header: z.string().optional(),
  title: z.string().default(''),
  time: z.string(),
  safeHtmlItem: z.array(z.looseObject({ html: z.string() })).optional(),
});

/** `Gemini Apps`, `Gemini アプリ`, `Applications Gemini`, `Gemini-Apps`, `Gemini 应用`, `Bard`. */
const HEADER = /^(?:[\p{L} ]{1,25} )?(?:Gemini|Bard)(?:[\s-].{1,20})?$/u;

const isActivity = (value: unknown): boolean =>
  isRecord(value) && typeof value['header'] === 'string' && HEADER.test(value['header']) && 'time' in value;

/** The activities of Gemini in a Google Takeout: `My Activity/Gemini Apps/MyActivity.json`. */
export const gemini: Reader = {
  name: 'gemini',
  title: 'Gemini activity (Google Takeout)',
  detect: ({ json }) => Array.isArray(json) && json.some(isActivity),
  read: (out) => {
    const days = createDays(out);
    const readOne = (value: unknown, at: string) => {
      const read = activitySchema.safeParse(value);
      if (!read.success) return out.fault(at, 'it has no time');
      const { title, time, safeHtmlItem } = read.data;
      // What is no prompt, such as a feature that was used, has no answer either.
      if (!isActivity(value) || !(isPrompted(title) || safeHtmlItem !== undefined))
        return out.leftOut('activity without a prompt', at, title);
      const answer = toHtmlText((safeHtmlItem ?? []).map(({ html }) => html).join('\n'));
      days.add({ prompt: title, answer, time: fromIso(time) });
    };
    return createJsonSink(['$.*'], ({ value, path }) => readOne(value, `activity ${Number(path[0]) + 1}`), days.flush);
  },
};
