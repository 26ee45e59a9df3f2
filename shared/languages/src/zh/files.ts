import type { FileWords } from '../language-data.ts';

/** What stands in the Markdown files of agent memory. */
export const files: FileWords = {
  titles: {
    role: '角色定位',
    personality: '性格特征',
    values: '价值观',
    behavior_rules: '行为准则',
    basics: '基本信息',
    interests: '兴趣爱好',
    goals: '当前目标',
    preferences: '偏好设置',
    name: '姓名',
    age: '年龄',
    occupation: '职业',
    summary: '摘要',
    entries: '记录条目',
    enabled: '启用',
    parameters: '参数',
    agreement: '重要约定',
  },
  entryTypes: {
    conversation: '对话',
    decision: '决策',
    summary: '摘要',
    manual: '手动',
  },
  skeletons: {
    spirit: '# AI 人格设定\n\n## 角色定位\n\n## 性格特征\n\n## 价值观\n\n## 行为准则\n',
    owner: '# 用户画像\n\n## 基本信息\n- 姓名: \n- 年龄: \n- 职业: \n\n## 兴趣爱好\n\n## 当前目标\n\n## 偏好设置\n',
    tools: '# 工具定义\n\n## 文件操作\n\n## 网络操作\n\n## 代码操作\n',
    longTerm: '# 长期记忆\n',
  },
  context: {
    persona: '你是谁',
    owner: '你服务的人',
    tools: '工具',
    daily: '最近的日志',
    long_term: '长期记忆',
    hits: '与问题相关的记忆',
  },
  empty:
    '工作区还是空的。先调用 init_identity 建立文件，再用 update_identity 写明助手是谁、为谁服务，用 add_entry 记下值得保留的内容。',
  dailyLog: (date) => `# ${date} 日志\n\n## 记录条目\n`,
};
