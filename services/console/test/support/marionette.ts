import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The driver of one Firefox: what a person does on a page. */
export interface Firefox {
  readonly goto: (url: string) => Promise<void>;
  /** Clicks the first element that an XPath finds, once it can be clicked. */
  readonly click: (path: string) => Promise<void>;
  /** Types into the field of a label. */
  readonly fill: (label: string, text: string) => Promise<void>;
  /** Waits until a text is on the page. */
  readonly see: (text: string) => Promise<void>;
  /** What a function's body answers on the page. */
  readonly evaluate: (body: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** How long anything may take on a machine that others use, in milliseconds. */
const LIMIT_MS = 60_000;
const WAIT_MS = 100;
/** How WebDriver names an element in JSON. Source: W3C WebDriver, Elements, web element identifier. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const PREFERENCES = {
  'marionette.port': 0,
  'intl.locale.requested': 'en-GB',
  'intl.accept_languages': 'en-GB',
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

/** Tries until it works, or throws what failed last. */
async function until<T>(attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(WAIT_MS);
    }
  }
}

interface Answer {
  readonly value?: unknown;
}

type Send = (command: string, parameters: object) => Promise<Answer>;

/** Speaks with a Firefox: `length:[0, id, command, parameters]`, answered by `length:[1, id, error, result]`. */
function createSend(socket: Socket): Send {
  const waiting = new Map<number, (error: { readonly message: string } | null, result: Answer) => void>();
  let received = Buffer.alloc(0);
  let last = 0;
  socket.on('data', (piece) => {
    received = Buffer.concat([received, piece]);
    for (;;) {
      const colon = received.indexOf(':');
      const end = colon + 1 + Number(received.subarray(0, Math.max(colon, 0)).toString());
      if (colon < 0 || received.length < end) return;
      const message: unknown = JSON.parse(received.subarray(colon + 1, end).toString());
      received = received.subarray(end);
      // What comes first says which version of the protocol it is.
      if (Array.isArray(message)) waiting.get(message[1])?.(message[2], message[3]);
    }
  });
  return (command, parameters) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, (error, result) => (error === null ? resolve(result) : reject(new Error(error.message))));
      const body = JSON.stringify([0, last, command, parameters]);
      socket.write(`${Buffer.byteLength(body)}:${body}`);
    });
}

/** Starts a Firefox without a window, with a profile of its own, and drives it by its own protocol, Marionette. */
export async function startFirefox(program: string): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'contextloom-firefox-'));
  const preferences = Object.entries(PREFERENCES).map(
    ([key, value]) => `user_pref("${key}", ${JSON.stringify(value)});`,
  );
  await writeFile(join(profile, 'user.js'), preferences.join('\n'));
  const child = spawn(program, ['--headless', '--no-remote', '--profile', profile, '-marionette'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const port = await until(async () => Number(await readFile(join(profile, 'MarionetteActivePort'), 'utf8')));
  const socket = connect(port, '127.0.0.1');
  const send = createSend(socket);
  await once(socket, 'connect');
  await send('WebDriver:NewSession', {});
  const find = async (path: string): Promise<string> => {
    const { value } = await send('WebDriver:FindElement', { using: 'xpath', value: path });
    return String(Object(value)[ELEMENT]);
  };
  const evaluate = async (script: string): Promise<unknown> =>
    (await send('WebDriver:ExecuteScript', { script, args: [] })).value;
  return {
    evaluate,
    goto: async (url) => {
      await send('WebDriver:Navigate', { url });
    },
    click: async (path) => {
      await until(async () => send('WebDriver:ElementClick', { id: await find(path) }));
    },
    fill: async (label, text) => {
      const field = `//*[@id=//label[normalize-space()="${label}"]/@for]`;
      await until(async () => {
        const id = await find(field);
        await send('WebDriver:ElementClear', { id });
        await send('WebDriver:ElementSendKeys', { id, text });
      });
    },
    see: async (text) => {
      await until(async () => {
        const shown = String(await evaluate('return document.body.innerText'));
        if (!shown.includes(text)) throw new Error(`not on the page: ${text}; there is: ${shown.slice(0, 1_000)}`);
      });
    },
    close: async () => {
      socket.destroy();
      child.kill('SIGTERM');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
