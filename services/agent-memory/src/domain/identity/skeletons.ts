import { LONG_TERM_FILE, OWNER_FILE, SPIRIT_FILE, TOOLS_FILE } from '../model/files.ts';
import type { Language } from '../model/titles.ts';

const zh = {
  [SPIRIT_FILE]: '# AI 人格设定\n\n## 角色定位\n\n## 性格特征\n\n## 价值观\n\n## 行为准则\n',
  [OWNER_FILE]:
    '# 用户画像\n\n## 基本信息\n- 姓名: \n- 年龄: \n- 职业: \n\n## 兴趣爱好\n\n## 当前目标\n\n## 偏好设置\n',
  [TOOLS_FILE]: '# 工具定义\n\n## 文件操作\n\n## 网络操作\n\n## 代码操作\n',
  [LONG_TERM_FILE]: '# 长期记忆\n',
};
const en: typeof zh = {
  [SPIRIT_FILE]: '# The agent\n\n## Role\n\n## Personality\n\n## Values\n\n## Behavior rules\n',
  [OWNER_FILE]:
    '# The owner\n\n## Basic information\n- Name: \n- Age: \n- Occupation: \n\n## Interests\n\n## Current goals\n\n## Preferences\n',
  [TOOLS_FILE]: '# Tools\n\n## Files\n\n## Network\n\n## Code\n',
  [LONG_TERM_FILE]: '# Long-term memory\n',
};

/** The files of a new workspace by path, with their sections empty. */
export const skeletons: Readonly<Record<Language, Readonly<Record<string, string>>>> = { zh, en };

/** What a new daily log begins with. */
export function toDailySkeleton(date: string, language: Language): string {
  return language === 'zh' ? `# ${date} 日志\n\n## 记录条目\n` : `# ${date} log\n\n## Entries\n`;
}
