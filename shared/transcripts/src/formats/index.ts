import { ContextloomError } from '@contextloom/contracts';
import type { Reader, Sample } from './reader.ts';
import { aiStudio } from './readers/ai-studio.ts';
import { aider } from './readers/aider.ts';
import { chatCsv, discordCsv, imazingCsv, kakaoCsv, wechatCsv } from './readers/chat-csv.ts';
import { chatbox } from './readers/chatbox.ts';
import { chatgpt } from './readers/chatgpt.ts';
import { chatgptMemory } from './readers/chatgpt-memory.ts';
import { chatlab } from './readers/chatlab.ts';
import { cherryStudio } from './readers/cherry-studio.ts';
import { claude } from './readers/claude.ts';
import { claudeCode } from './readers/claude-code.ts';
import { claudeMemories, claudeProjects } from './readers/claude-memory.ts';
import { cline } from './readers/cline.ts';
import { codex } from './readers/codex.ts';
import { copied } from './readers/copied.ts';
import { copilotCli } from './readers/copilot-cli.ts';
import { cursor } from './readers/cursor.ts';
import { deepseek } from './readers/deepseek.ts';
import { discordJson } from './readers/discord-json.ts';
import { discordPackage } from './readers/discord-package.ts';
import { discordText } from './readers/discord-text.ts';
import { gemini } from './readers/gemini.ts';
import { geminiCli, geminiCliLines } from './readers/gemini-cli.ts';
import { geminiHtml } from './readers/gemini-html.ts';
import { googleChat } from './readers/google-chat.ts';
import { grok } from './readers/grok.ts';
import { imessage } from './readers/imessage.ts';
import { irc } from './readers/irc.ts';
import { kakaotalk } from './readers/kakaotalk.ts';
import { letta } from './readers/letta.ts';
import { line } from './readers/line.ts';
import { lmStudio } from './readers/lm-studio.ts';
import { lobeChat } from './readers/lobe-chat.ts';
import { longMemEval } from './readers/long-mem-eval.ts';
import { markdownChat } from './readers/markdown-chat.ts';
import { mbox } from './readers/mbox.ts';
import { memoryDatabase } from './readers/memory-database.ts';
import { memoryGraph } from './readers/memory-graph.ts';
import { memoryLines } from './readers/memory-lines.ts';
import { mem0 } from './readers/memory-list.ts';
import { messenger } from './readers/messenger.ts';
import { messengerHtml } from './readers/messenger-html.ts';
import { nextchat } from './readers/nextchat.ts';
import { dayOne, evernote, googleKeep } from './readers/note-apps.ts';
import { notes } from './readers/notes.ts';
import { okf } from './readers/okf.ts';
import { onebot } from './readers/onebot.ts';
import { openWebui } from './readers/open-webui.ts';
import { openai } from './readers/openai.ts';
import { openCode } from './readers/opencode.ts';
import { ownJson, ownJsonLines, ownText } from './readers/own.ts';
import { qq } from './readers/qq.ts';
import { qqExporterText } from './readers/qq-exporter-text.ts';
import { qqJson } from './readers/qq-json.ts';
import { signal } from './readers/signal.ts';
import { sigtop } from './readers/sigtop.ts';
import { sillytavern } from './readers/sillytavern.ts';
import { skype } from './readers/skype.ts';
import { slack } from './readers/slack.ts';
import { smsBackup } from './readers/sms-backup.ts';
import { speechJson } from './readers/speech-json.ts';
import { speechTsv } from './readers/speech-tsv.ts';
import { stacked } from './readers/stacked.ts';
import { subtitles } from './readers/subtitles.ts';
import { telegram } from './readers/telegram.ts';
import { telegramHtml } from './readers/telegram-html.ts';
import { typingmind } from './readers/typingmind.ts';
import { vscodeChat } from './readers/vscode-chat.ts';
import { wechatHtml } from './readers/wechat-html.ts';
import { wechatJson } from './readers/wechat-json.ts';
import { wechatText } from './readers/wechat-text.ts';
import { whatsapp } from './readers/whatsapp.ts';
import { zoomChat } from './readers/zoom-chat.ts';

/** Every format, in the order in which they are looked for: the ones with clear marks first, ours last. */
export const readers: readonly Reader[] = [
  deepseek,
  chatgpt,
  claude,
  claudeProjects,
  claudeMemories,
  longMemEval,
  chatlab,
  qqJson,
  onebot,
  wechatJson,
  telegram,
  discordJson,
  discordPackage,
  slack,
  gemini,
  aiStudio,
  skype,
  grok,
  googleChat,
  lmStudio,
  openCode,
  openWebui,
  nextchat,
  lobeChat,
  cherryStudio,
  chatbox,
  typingmind,
  geminiCli,
  geminiCliLines,
  vscodeChat,
  cline,
  speechJson,
  dayOne,
  googleKeep,
  memoryGraph,
  chatgptMemory,
  mem0,
  letta,
  memoryDatabase,
  sillytavern,
  signal,
  claudeCode,
  codex,
  copilotCli,
  cursor,
  openai,
  messenger,
  messengerHtml,
  smsBackup,
  wechatCsv,
  discordCsv,
  kakaoCsv,
  imazingCsv,
  chatCsv,
  speechTsv,
  subtitles,
  mbox,
  geminiHtml,
  telegramHtml,
  wechatHtml,
  evernote,
  sigtop,
  discordText,
  line,
  irc,
  kakaotalk,
  imessage,
  zoomChat,
  whatsapp,
  qqExporterText,
  qq,
  wechatText,
  okf,
  memoryLines,
  stacked,
  copied,
  aider,
  markdownChat,
  notes,
  ownJsonLines,
  ownJson,
  ownText,
];

function findNamed(format: string): Reader {
  const named = readers.find(({ name }) => name === format);
  if (named !== undefined) return named;
  const names = readers.map(({ name }) => name).join(', ');
  throw new ContextloomError('invalid', `there is no format "${format}"; there are: ${names}`, { field: 'format' });
}

/** Asks one reader after the other whether a text is theirs, and ends with the first that knows its marks; each step is one reader. */
export function* askReaders(sample: Sample, format?: string): Generator<undefined, Reader> {
  if (format !== undefined) return findNamed(format);
  for (const reader of readers) {
    if (reader.detect(sample)) return reader;
    yield undefined;
  }
  return sample.json === undefined && sample.jsonLines === undefined ? ownText : ownJson;
}

/** The reader of a text: the one that is named, else the first that knows the text's marks. */
export function findReader(sample: Sample, format?: string): Reader {
  const steps = askReaders(sample, format);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
