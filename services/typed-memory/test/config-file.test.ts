import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '@contextloom/runtime';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfigFile, settings } from '../src/config.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-typed-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The settings with a file of this content, named by the flag or by the environment. */
async function load(content: unknown, env: Readonly<Record<string, string>> = {}, isByFlag = true) {
  const file = join(folder, 'settings.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  const read = isByFlag ? readConfigFile({ settings: file }, env) : readConfigFile({}, { TYPED_MEMORY_CONFIG: file });
  return readSettings(settings, env, { file: read });
}

const whole = {
  default_user_id: 'ann',
  ai_model: 'a model',
  memory_settings: { auto_categorize: false, default_memory_type: 'episodic', search_limit: 7 },
  mirix_backend_url: 'http://127.0.0.1:8531',
};

describe('the settings in a file', () => {
  it.each([true, false])('are those of the design, and the environment wins (by flag: %s)', async (isByFlag) => {
    const { values, sources } = await load(whole, { MEMORY_SEARCH_LIMIT: '5' }, isByFlag);
    expect(values).toMatchObject({
      userId: 'ann',
      llmModel: 'a model',
      autoCategorize: false,
      defaultType: 'episodic',
      searchLimit: 5,
      mirixUrl: 'http://127.0.0.1:8531',
    });
    expect(sources).toMatchObject({
      searchLimit: { env: 'MEMORY_SEARCH_LIMIT' },
      defaultType: { file: 'memory_settings.default_memory_type' },
      timeZone: 'default',
    });
  });

  it.each([
    ['{"default_user_id": ', /settings\.json must be a JSON file/u],
    [[], /settings\.json/u],
    [{ memory_settings: { serch_limit: 5 } }, /memory_settings.*serch_limit/u],
    [{ memory_settings: 5 }, /memory_settings/u],
    [{ memory_settings: { search_limit: 51 } }, /^memory_settings\.search_limit must be a whole number from 1 to 50/u],
    [{ memory_settings: { search_limit: 'many' } }, /^memory_settings\.search_limit must be/u],
    [{ memory_settings: { default_memory_type: 'dream' } }, /^memory_settings\.default_memory_type must be one of/u],
    [{ memory_settings: { auto_categorize: 'maybe' } }, /^memory_settings\.auto_categorize must be true or false/u],
    [{ mirix_backend_url: 'localhost' }, /^mirix_backend_url must be an http or https address/u],
    [{ default_user_id: '' }, /^default_user_id/u],
  ])('are refused by name: %j', async (content, message) => {
    await expect(load(content)).rejects.toThrow(message);
  });

  it('may be missing where none is named', () => {
    expect(readConfigFile({}, {})).toBeUndefined();
    expect(readConfigFile({}, { TYPED_MEMORY_CONFIG: '${TYPED_MEMORY_CONFIG}' })).toBeUndefined();
  });
});
