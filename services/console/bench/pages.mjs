// The pages as a person sees them: pictures of each at two widths, in both themes and two languages, with what axe finds serious and how
// long each takes; what the first load weighs; and five tasks by clicks, typed characters and seconds of the page.
// node services/console/bench/pages.mjs [--memories 300] [--out DIR, for the pictures; none without it] [--tasks]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { createRandom } from '../../../shared/tooling/bench-figures.mjs';

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '300' },
    out: { type: 'string' },
    tasks: { type: 'boolean', default: false },
  },
});
const count = Number(values.memories);
const USER = 'tess';
const BATCH = 500;
const DAY_MS = 86_400_000;
const print = (line) => process.stdout.write(`${line}\n`);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Starts the composition as shipped, on a folder of its own. */
async function start(folder) {
  const file = join(root, 'mcp_config.json');
  const server = join(root, 'services/context-aggregator/dist/server.js');
  const data = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const env = { PATH: process.env.PATH, ...data, MCP_CONFIG: file, DEFAULT_USER_ID: USER };
  const child = spawn(process.execPath, [server, '--config', file, '--http', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the aggregator ended with ${code}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      const { url } = JSON.parse(line);
      if (url !== undefined) resolve(new URL(url).origin);
    });
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { url, stop };
}

/** The revision of MCP in which each request stands for itself, as the page uses it. */
const REVISION = '2026-07-28';

/** Calls a tool of the aggregator. */
async function call(name, args) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(`${url}/mcp/all`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } }),
  });
  const text = await response.text();
  const last = text
    .split('\n')
    .findLast((line) => line.startsWith('data:'))
    ?.slice('data:'.length);
  const { result, error } = JSON.parse(last ?? text);
  if (error !== undefined || result.isError) throw new Error(`${name}: ${JSON.stringify(error ?? result.content)}`);
  return result.structuredContent;
}

const people = ['my sister Ros', 'my son Kit', 'my friend Anya', 'my boss Dora', 'my cat called Pylon'];
const doings = [
  'mended the jib',
  'baked rye bread',
  'sailed to Inchkeith',
  'painted the shed',
  'read about the herring fleet',
  'planted beans',
];
const places = [
  'in Leith',
  'at the harbour',
  'behind the chapel',
  'in the rain',
  'after the market',
  'by the old lock',
];

/** A conversation of a day, of which no two are alike. */
function toTalk(number, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const date = new Date(Date.now() - number * (DAY_MS + 7_000_000)).toISOString();
  const said = (content) => ({ role: 'user', content, timestamp: date });
  return [
    said(`Today ${pick(people)} and I ${pick(doings)} ${pick(places)}, for the ${number + 1}th time this year.`),
    { role: 'assistant', content: 'How did that go?', timestamp: date },
    said(
      `Well enough. ${number % 3 === 0 ? 'We talked about the lock gates and had tea afterwards.' : `It took ${number + 2} hours.`}`,
    ),
  ];
}

/** A few conversations with all that is drawn from them; beyond these, documents as episodes are kept. */
async function fill() {
  const random = createRandom(7);
  const talks = Math.min(count, 120);
  await call('remember', { user_id: USER, text: 'I live in Leith.' });
  await call('remember', { user_id: USER, text: 'I work as a boat builder.' });
  await call('remember', { user_id: USER, text: 'The regatta is tomorrow' });
  for (let number = 0; number < talks; number += 1)
    await call('store_conversation_memory', { user_id: USER, conversation_history: toTalk(number, random) });
  for (let at = talks; at < count; at += BATCH) {
    const documents = Array.from({ length: Math.min(BATCH, count - at) }, (_one, part) => {
      const [{ content, timestamp }] = toTalk((at + part) % 4_000, random);
      const metadata = { user_id: USER, occurred_at: timestamp, importance: 4, memory_type: 'episode' };
      const words = `[${timestamp.slice(0, 10)}]\nuser: ${content} Number ${at + part}.`;
      return { doc_id: `bench-${at + part}`, content: words, tags: ['memory', 'episode'], metadata };
    });
    await call('knowledge-base__add_documents', { documents });
  }
}

const PAGES = {
  home: 'main li',
  memories: '.memory',
  things: 'main tbody tr',
  ask: 'main form',
  you: 'main button',
  conversations: 'main',
  decisions: 'main',
};

/** Opens a page of its own, and counts what a person does there. */
async function open(browser, url, hash, { language = 'en', theme = 'light', width = 1_280 } = {}) {
  const viewport = { width, height: width < 600 ? 844 : 800 };
  const context = await browser.newContext({
    viewport,
    colorScheme: theme,
    locale: language === 'zh' ? 'zh-CN' : 'en-GB',
  });
  const page = await context.newPage();
  let bytes = 0;
  page.on('response', async (response) => {
    if (!response.url().startsWith(url) || response.request().method() !== 'GET') return;
    const { responseBodySize } = await response
      .request()
      .sizes()
      .catch(() => ({ responseBodySize: 0 }));
    bytes += responseBodySize;
  });
  const from = performance.now();
  await page.goto(`${url}/#${hash}`);
  return { page, context, from, bytes: () => bytes };
}

async function takePictures(browser, url, out) {
  await mkdir(out, { recursive: true });
  print('page           width theme lang   ready ms   serious');
  for (const width of [390, 1_280])
    for (const theme of ['light', 'dark'])
      for (const language of ['en', 'zh'])
        for (const [name, ready] of Object.entries(PAGES)) {
          const { page, context, from } = await open(browser, url, name, { language, theme, width });
          await page
            .locator(ready)
            .first()
            .waitFor({ timeout: 60_000 })
            .catch(() => print(`  ${name}: not ready`));
          const took = performance.now() - from;
          await page.waitForTimeout(400);
          await page.screenshot({ path: join(out, `${name}-${width}-${theme}-${language}.png`) });
          await page.evaluate(axe.source);
          const found = await page.evaluate("axe.run({ resultTypes: ['violations'] })");
          const serious = found.violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
          print(
            `${name.padEnd(14)} ${String(width).padStart(5)} ${theme.padEnd(5)} ${language}   ${took.toFixed(0).padStart(8)}   ${serious.map((one) => `${one.id} ${one.nodes[0].html.slice(0, 80)}`).join('; ') || 0}`,
          );
          await context.close();
        }
}

/** What a person does, one thing after the other, and what each thing is. */
function createHand(page) {
  const done = { clicks: 0, characters: 0 };
  return {
    done,
    click: async (target) => {
      done.clicks += 1;
      await target.first().click();
    },
    type: async (target, text) => {
      done.clicks += 1;
      done.characters += text.length;
      await target.fill(text);
    },
    button: (name) => page.getByRole('button', { name }),
    link: (name) => page.getByRole('link', { name }),
  };
}

const TASKS = {
  'correct a wrong memory': async (page, { click, type, button }) => {
    await click(page.locator('main li a').filter({ hasText: 'Leith' }));
    await type(page.getByLabel('Wrong? Say what is right.'), 'Porto');
    await click(page.getByRole('dialog').getByRole('button', { name: 'Save' }));
    await page.getByText('Changed. This can be undone for a minute.').waitFor();
    await click(button('Undo'));
  },
  'find what was said last summer': async (page, { click, link, button }) => {
    await click(link('Memories'));
    await click(button('Last summer'));
    await page.getByText('“Last summer”').waitFor();
    await page.locator('.memory').first().waitFor();
  },
  'see why a line was told': async (page, { click, type, link, button }) => {
    await click(link('Ask'));
    await type(page.getByLabel('Your question'), 'Where do I live?');
    await click(button('Look'));
    await page.locator('.lines .source').first().waitFor();
  },
  'forget somebody': async (page, { click, link, button }) => {
    await click(link('People and things'));
    await click(link('Dora'));
    await click(button('This is no person and no thing'));
    await page.getByText('Put aside.').waitFor();
    await click(button('Undo'));
  },
  'take everything along': async (page, { click, link }) => {
    await click(link('You'));
    const download = page.waitForEvent('download');
    await click(page.locator('main').getByRole('button', { name: 'Markdown' }));
    await download;
  },
};

async function timeTasks(browser, url) {
  print('task                             clicks characters seconds');
  for (const [name, work] of Object.entries(TASKS)) {
    const { page, context } = await open(browser, url, 'home');
    await page.locator('main li').first().waitFor();
    const hand = createHand(page);
    const from = performance.now();
    const problem = await work(page, hand).then(
      () => undefined,
      (error) => error.message.split('\n')[0],
    );
    const seconds = ((performance.now() - from) / 1_000).toFixed(1);
    const { clicks, characters } = hand.done;
    print(
      `${name.padEnd(32)} ${String(clicks).padStart(6)} ${String(characters).padStart(10)} ${seconds.padStart(7)}${problem === undefined ? '' : `  not done: ${problem}`}`,
    );
    await context.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'contextloom-pages-'));
const { url, stop } = await start(folder);
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
try {
  const from = performance.now();
  await fill();
  const { total } = await call('list_memories', { user_id: USER, order: 'newest', limit: 1 });
  print(`${total} memories after ${((performance.now() - from) / 1_000).toFixed(0)} s`);
  const first = await open(browser, url, 'home');
  await first.page.locator('main li').first().waitFor();
  await first.page.waitForTimeout(500);
  print(
    `first load: ${(first.bytes() / 1_000).toFixed(0)} kB compressed, ${(performance.now() - first.from).toFixed(0)} ms`,
  );
  await first.context.close();
  if (values.tasks) await timeTasks(browser, url);
  if (values.out !== undefined) await takePictures(browser, url, values.out);
} finally {
  await browser.close();
  await stop();
  await rm(folder, { recursive: true, force: true });
}
