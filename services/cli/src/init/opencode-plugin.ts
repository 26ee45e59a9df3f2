import { ContextloomError } from '@contextloom/contracts';

/** What the command lines of the hooks stand behind, in a plugin that this program wrote. */
const LINES = 'const lines = ';

/**
 * The plugin of OpenCode that runs the hooks: it exports one function, which OpenCode calls for each folder that it works in, and which answers
 * what is run at which event. A session has no end there: what was said is handed in when another session begins and when OpenCode ends.
 * @param lines the command line of each event
 */
export function toPluginText(lines: Readonly<Record<string, string>>): string {
  return `// Written by "contextloom init --client opencode --hooks"; "contextloom init --client opencode --remove-hooks" takes it away.
import { spawn, spawnSync } from 'node:child_process';

${LINES}${JSON.stringify(lines, null, 2)};
const TIMEOUT_MS = 15_000;
const QUESTION_MS = 1_000;

export const Contextloom = async ({ client, directory }) => {
  const briefs = new Map();
  const own = new Set();
  const unread = new Set();
  const options = { shell: true, cwd: directory, timeout: TIMEOUT_MS, windowsHide: true };
  const toInput = (sessionID, more) => JSON.stringify({ sessionID, directory, program: process.execPath, ...more });
  const answers = new Map();

  const fire = (event, sessionID, more, timeout = TIMEOUT_MS) =>
    new Promise((done) => {
      const child = spawn(lines[event], { ...options, timeout, stdio: ['pipe', 'pipe', 'ignore'] });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      child.on('error', () => done(''));
      child.on('close', () => done(text));
      child.stdin.on('error', () => undefined).end(toInput(sessionID, more));
    });

  const toContext = (answer) => (answer.trim() === '' ? '' : JSON.parse(answer).context);

  const handIn = async (event, sessionID) => {
    if (unread.delete(sessionID)) await fire(event, sessionID);
  };

  const begin = async (sessionID) => {
    const { data } = await client.session.get({ path: { id: sessionID } });
    const isHelper = Boolean(data?.parentID);
    if (!isHelper) {
      for (const other of [...unread]) void handIn('session-end', other);
      own.add(sessionID);
      unread.add(sessionID);
    }
    return toContext(await fire(isHelper ? 'subagent-start' : 'session-start', sessionID));
  };

  return {
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      if (!sessionID) return;
      if (!briefs.has(sessionID)) briefs.set(sessionID, begin(sessionID).catch(() => ''));
      const brief = await briefs.get(sessionID);
      if (brief) system.push(brief);
      const answer = await answers.get(sessionID);
      if (answer) system.push(answer);
    },
    // What answers a question stands in the calls that work on it.
    'chat.message': async ({ sessionID }, { parts }) => {
      if (!lines['user-prompt']) return;
      const said = parts.filter(({ type, synthetic }) => type === 'text' && !synthetic);
      const prompt = said.map(({ text }) => text).join('\\n');
      answers.set(sessionID, fire('user-prompt', sessionID, { prompt }, QUESTION_MS).then(toContext).catch(() => ''));
    },
    'experimental.session.compacting': ({ sessionID }) => handIn('pre-compact', sessionID),
    event: async ({ event }) => {
      const { sessionID } = event.properties ?? {};
      if (event.type === 'session.idle' && own.has(sessionID)) unread.add(sessionID);
    },
    // OpenCode ends when this returns.
    dispose: async () => {
      for (const sessionID of unread) {
        spawnSync(lines['session-end'], { ...options, input: toInput(sessionID), stdio: ['pipe', 'ignore', 'ignore'] });
      }
      unread.clear();
    },
  };
};
`;
}

/** The command lines in a plugin that this program wrote; none in an empty text. @throws ContextloomError `invalid` for another text */
export function readPluginLines(text: string, file: string): Readonly<Record<string, string>> {
  if (text.trim() === '') return {};
  const [, rest = ''] = text.split(`\n${LINES}`, 2);
  const end = rest.indexOf('};');
  try {
    return JSON.parse(rest.slice(0, end + 1));
  } catch (cause) {
    throw new ContextloomError('invalid', `${file} is another plugin: move it away`, { cause });
  }
}
