import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTinyModel, type ScriptedHub, startScriptedHub, writeModel } from '@contextloom/testing/llm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmbedder } from '../../src/index.ts';
import { type DownloadModelOptions, downloadModel, toModelFolder } from '../../src/local-model/index.ts';
import { readLocalModel } from '../../src/local-model/model-folder.ts';

const MODEL = 'tests/tiny-e5-small';
const files = makeTinyModel({ meanings: [['laptop', 'notebook']] });
let hub: ScriptedHub;
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'contextloom-models-'));
  hub = await startScriptedHub(MODEL, files);
});

afterAll(async () => {
  await hub.close();
  await rm(root, { recursive: true });
});

const download = (dataDir: string, options: Partial<DownloadModelOptions> = {}) =>
  downloadModel({
    dataDir,
    model: MODEL,
    hub: hub.address,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...options,
  });

describe('downloadModel', () => {
  it('downloads a model once, tells how far it is, and asks for nothing the second time', async () => {
    const dataDir = join(root, 'once');
    const seen: number[] = [];
    const total = [...files.values()].reduce((sum, { length }) => sum + length, 0);
    expect(await download(dataDir, { onProgress: (done, of) => seen.push(done / of) })).toBe('downloaded');
    expect(seen.at(-1)).toBe(1);
    expect(total).toBeGreaterThan(0);
    const asked = hub.requests.length;
    expect(await download(dataDir)).toBe('already there');
    expect(hub.requests).toHaveLength(asked);
    const folder = toModelFolder(dataDir, MODEL);
    for (const [path, content] of files) expect(await readFile(join(folder, path))).toEqual(content);
  });

  it.each(['onnx/model_quantized.onnx', 'config.json'])(
    'leaves nothing behind when %s has another hash than the hub names',
    async (path) => {
      const dataDir = join(root, `spoilt-${path.length}`);
      hub.spoil(path, Buffer.from('{"hidden_size": 3}'));
      await expect(download(dataDir)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(path),
      });
      hub.spoil(path, files.get(path) ?? Buffer.alloc(0));
      expect(await readdir(join(dataDir, 'models'))).toEqual([]);
      await expect(readLocalModel(dataDir, MODEL)).rejects.toMatchObject({ field: 'EMBEDDING_MODEL' });
    },
  );

  it('names the setting for a model that the hub does not have, or that has no weights for transformers.js', async () => {
    const dataDir = join(root, 'absent');
    await expect(download(dataDir, { model: 'tests/no-such' })).rejects.toThrow(
      'EMBEDDING_MODEL must be a public model',
    );
    const other = await startScriptedHub('tests/other', new Map([['config.json', Buffer.from('{}')]]));
    await expect(download(dataDir, { model: 'tests/other', hub: other.address })).rejects.toMatchObject({
      field: 'EMBEDDING_MODEL',
      message: expect.stringContaining('has no tokenizer.json, tokenizer_config.json, onnx/model_quantized.onnx'),
    });
    await other.close();
  });

  it('ends when it is interrupted', async () => {
    const ending = new AbortController();
    const onProgress = (): void => ending.abort();
    await expect(download(join(root, 'ended'), { signal: ending.signal, onProgress })).rejects.toThrow();
    expect(await readdir(join(root, 'ended', 'models'))).toEqual([]);
  });
});

describe('readLocalModel', () => {
  it('reads dimensions, marks of texts and hashes', async () => {
    const dataDir = join(root, 'read');
    await download(dataDir);
    const model = await readLocalModel(dataDir, MODEL);
    expect(model).toMatchObject({
      name: MODEL,
      dimensions: 5,
      pooling: 'mean',
      prompts: { query: 'query: ', passage: 'passage: ' },
    });
    expect(Object.keys(model.hashes).sort()).toEqual([...files.keys()].sort());
  });

  it('takes a folder, names it by its weights, and reads how the model pools and marks texts', async () => {
    const folder = join(root, 'own');
    const sentences = { prompts: { query: 'find: ', document: 'text: ' } };
    await writeModel(
      folder,
      new Map([
        ...files,
        ['1_Pooling/config.json', Buffer.from('{"pooling_mode_cls_token": true}')],
        ['config_sentence_transformers.json', Buffer.from(JSON.stringify(sentences))],
      ]),
    );
    expect(await readLocalModel(root, folder)).toMatchObject({
      name: expect.stringMatching(/^own:[0-9a-f]{12}$/),
      pooling: 'cls',
      prompts: { query: 'find: ', passage: 'text: ' },
      hashes: {},
    });
    await expect(readLocalModel(root, join(root, 'nowhere'))).rejects.toMatchObject({ field: 'EMBEDDING_MODEL' });
  });
});

describe('createEmbedder', () => {
  it('says how the provider local is set up', async () => {
    await expect(createEmbedder({ provider: 'local', dataDir: join(root, 'none') })).rejects.toMatchObject({
      field: 'EMBEDDING_PROVIDER',
      message: expect.stringContaining('run "contextloom setup embeddings"'),
    });
  });
});
