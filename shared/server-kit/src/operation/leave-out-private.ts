import { ContextloomError } from '@contextloom/contracts';
import { mapTexts, withoutPrivate, withoutPrivateSpans } from '@contextloom/safety/private';

/** Fields that name a thing, which may well be called "Off the record". */
const NAME = /(?:^|[._])(?:id|ids|key|keys|name|names|path|tag|tags|title|type)(?:\.\d+)?$/u;

/**
 * Takes what is marked as private out of all texts of a call that stores something.
 * @throws ContextloomError `invalid` for a text of nothing else, naming its field
 */
export function leaveOutPrivate(args: unknown): unknown {
  return mapTexts(args, (text, path) => {
    if (NAME.test(path)) return withoutPrivateSpans(text);
    const kept = withoutPrivate(text);
    if (kept !== '' || text === '') return kept;
    const [field = path] = path.split('.');
    throw new ContextloomError('invalid', `${path} is marked as private, so nothing was stored`, { field });
  });
}
