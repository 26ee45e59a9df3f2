import { describe, expect, it } from '@jest/globals';
import { toUserFolders } from '../src/process/user-folders.ts';

describe('the folders of a user', () => {
  it.each([
    ['linux', '/home/安', {}, '/home/安/.local/share/contextloom', '/home/安/.config/contextloom'],
    ['linux', '/root', { XDG_DATA_HOME: '/d a', XDG_CONFIG_HOME: '/c' }, '/d a/contextloom', '/c/contextloom'],
    [
      'linux',
      '/root',
      { XDG_DATA_HOME: 'relative', XDG_CONFIG_HOME: '' },
      '/root/.local/share/contextloom',
      '/root/.config/contextloom',
    ],
    [
      'darwin',
      '/Users/ann',
      { XDG_DATA_HOME: '/d' },
      '/Users/ann/Library/Application Support/contextloom',
      '/Users/ann/Library/Preferences/contextloom',
    ],
    [
      'win32',
      'C:\\Users\\安 妮',
      {},
      'C:\\Users\\安 妮\\AppData\\Local\\contextloom\\Data',
      'C:\\Users\\安 妮\\AppData\\Roaming\\contextloom\\Config',
    ],
    [
      'win32',
      'C:\\Users\\ann',
      { LOCALAPPDATA: 'D:\\Local', APPDATA: '\\\\server\\roaming' },
      'D:\\Local\\contextloom\\Data',
      '\\\\server\\roaming\\contextloom\\Config',
    ],
  ] as const)('on %s with the home %s and %j', (platform, home, env, data, config) => {
    expect(toUserFolders({ platform, home, env })).toEqual({ data, config });
  });

  it('are where nobody can write for a user without a home, unless variables name them', () => {
    const env = { XDG_DATA_HOME: '/data' };
    expect(toUserFolders({ platform: 'linux', home: undefined, env })).toEqual({
      data: '/data/contextloom',
      config: '/nonexistent/.config/contextloom',
    });
  });
});
