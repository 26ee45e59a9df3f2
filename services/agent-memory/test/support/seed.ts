/** The files of the design, as they stand in it. */
export const seedFiles = {
  'SPIRIT.md':
    '# AI 人格设定\n\n## 角色定位\n你是用户的个人 AI 助手\n\n## 性格特征\n- 友好\n- 简洁\n\n## 价值观\n- 诚实\n- 尊重隐私\n\n## 行为准则\n- 不确定时先询问\n- 不泄露私人信息\n',
  'OWNER.md':
    '# 用户画像\n\n## 基本信息\n- 姓名: 张三\n- 年龄: 32\n- 职业: 前端工程师\n\n## 兴趣爱好\n- 编程\n- 咖啡\n- 徒步旅行\n\n## 当前目标\n- 开发一款本地 AI 笔记工具\n\n## 偏好设置\n- 喜欢简洁 UI\n- 不喜欢拿铁，只喝美式\n- 主题：深色\n',
  'TOOLS.md':
    '# 工具定义\n\n## 文件操作\n- read_file: 读取文件内容\n- write_file: 写入文件内容\n  - 启用: false\n\n## 网络操作\n- search_web: 搜索互联网\n  - 参数: {"type":"object","properties":{"q":{"type":"string"}}}\n- [ ] fetch_url: 获取网页内容\n\n## 代码操作\n- execute_code: 执行代码片段\n',
  'MEMORY.md':
    '# 长期记忆\n\n### 2026-01-20\n[重要约定] 每周五下午复盘\n[决策] 笔记工具只用本地存储\n\n### 2026-02-01\n用户对花生过敏\n',
  'memory/2026-02-13.md': '# 2026-02-13 日志\n\n## 记录条目\n\n### 09:00 - 手动\n买了新的徒步鞋\n',
  'memory/2026-02-14.md':
    '# 2026-02-14 日志\n\n## 摘要\n[AI 生成的当日摘要]\n\n## 记录条目\n\n### 10:30 - 决策\n用户决定使用 React 作为前端框架\n\n### 14:00 - 对话\n讨论了数据库选型，最终选择 SQLite\n',
} as const;

/** Saves the files of the design. */
export function saveSeed(save: (path: string, text: string) => void): void {
  for (const [path, text] of Object.entries(seedFiles)) save(path, text);
}
