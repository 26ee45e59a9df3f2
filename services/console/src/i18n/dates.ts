import { useTexts } from './texts.tsx';

/** Writes moments of ISO 8601 in the reader's language and time zone; a text that is no moment stays as it is. */
export function useMoments(): (moment: string | null | undefined) => string {
  const { language } = useTexts();
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  return (moment) => {
    if (moment === null || moment === undefined) return '–';
    const time = Date.parse(moment);
    return Number.isNaN(time) ? moment : format.format(time);
  };
}
