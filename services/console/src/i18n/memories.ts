/** Texts of the room of the memories in English. */
export const memoriesEn = {
  'memories.tag': 'Tag',
  'memories.from': 'From',
  'memories.to': 'To',
  'memories.clear': 'Show all',
  'memories.storesNotAsked': 'Stores that were not asked: {count}',
  'memories.withheld': 'Withheld, since they give orders to the assistant: {count}',
  'memories.merge': 'Merge two',
  'memories.mergeText': 'The first keeps its place and gets this text; the second is deleted.',
  'memories.merged': 'Merged text',
  'memory.conversation': 'Conversation',
  'memory.turn': 'Turns {turns} of {transcript}',
  'memory.here': 'this memory',
  'memory.drawn': 'Facts drawn from it',
  'memory.links': 'Belongs to',
  'memory.decisions': 'Decisions',
  'memory.partly': 'Shown up to here; the text is longer.',
} as const;

/** The same in Chinese. */
export const memoriesZh: Readonly<Record<keyof typeof memoriesEn, string>> = {
  'memories.tag': '标签',
  'memories.from': '从',
  'memories.to': '到',
  'memories.clear': '显示全部',
  'memories.storesNotAsked': '未查询的存储：{count} 个',
  'memories.withheld': '因含有对助手的命令而未显示：{count} 条',
  'memories.merge': '合并两条',
  'memories.mergeText': '第一条保留位置并改为此内容，第二条删除。',
  'memories.merged': '合并后的内容',
  'memory.conversation': '对话',
  'memory.turn': '{transcript} 的第 {turns} 轮',
  'memory.here': '此记忆',
  'memory.drawn': '由此得出的事实',
  'memory.links': '所属',
  'memory.decisions': '判定',
  'memory.partly': '只显示到这里，全文更长。',
};
