import { z } from 'zod';
import { toHtmlText } from '../html-text.ts';
import { createJsonSink } from '../json-sink.ts';
import { fromIso } from '../json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';

const activitySchema = z.looseObject({
  header: z.string().optional(),
  title: z.string().default(''),
  time: z.string(),
  safeHtmlItem: z.array(z.looseObject({ html: z.string() })).optional(),
});
type Activity = z.output<typeof activitySchema>;

const PROMPTED = /^(?:Prompted|Asked|Said|已发送提示|输入的提示)[:：\s]\s*/u;
const HEADER = /^(?:Gemini|Bard)(?: Apps)?$/u;

/** Writes the activities of a day in the order in which they happened: the file has the newest first. */
function createDays(out: Out) {
  let day = '';
  let activities: Activity[] = [];
  const flush = (): void => {
    if (activities.length === 0) return;
    out.conversation({ id: `gemini-${day}`, title: `Gemini, ${day}` });
    for (const { title, time, safeHtmlItem = [] } of activities.reverse()) {
      out.turn({ role: 'user', text: title.replace(PROMPTED, ''), ...fromIso(time) });
      out.turn({
        role: 'assistant',
        text: toHtmlText(safeHtmlItem.map(({ html }) => html).join('\n')),
        ...fromIso(time),
      });
    }
    activities = [];
  };
  return {
    add: (activity: Activity): void => {
      const own = activity.time.slice(0, 10);
      if (own !== day) flush();
      day = own;
      activities.push(activity);
    },
    flush,
  };
}

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
      // What is no prompt, such as a feature that was used, has no answer either.
      const isPrompt = PROMPTED.test(read.data.title) || read.data.safeHtmlItem !== undefined;
      if (!isActivity(value) || !isPrompt) return out.leftOut('activity without a prompt');
      days.add(read.data);
    };
    return createJsonSink(['$.*'], ({ value, path }) => readOne(value, `activity ${Number(path[0]) + 1}`), days.flush);
  },
};
