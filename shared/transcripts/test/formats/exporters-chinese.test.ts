import { describe, expect, it } from '@jest/globals';
import { readAll, toLines } from '../support/reading.ts';

const toText = (...lines: readonly string[]): string => lines.join('\n');
const json = (value: unknown): string => JSON.stringify(value, null, 2);

describe('WeChat as CSV', () => {
  it('of WeChatMsg: words and replies, who exported it, and who else by the file; the zone by both times', () => {
    const text = toText(
      '\uFEFFlocalId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,Remark,NickName,Sender',
      '1,1,1,0,1,1709259631,2,"你好, 在吗",2024-03-01 10:20:31',
      '2,1,3,0,0,1709259640,2,<msg><img/></msg>,2024-03-01 10:20:40',
      '3,1,1,0,0,1709259660,2,"第一行\n第二行 ""引""",2024-03-01 10:21:00',
      '4,1,10000,0,0,1709259670,2,小明撤回了一条消息,2024-03-01 10:21:10',
    ).replaceAll('\n', '\r\n');
    const read = readAll(text, { file: 'data/李四/李四_utf8.csv' });
    expect(read.format).toBe('wechat-csv');
    expect(toLines(read)).toEqual([
      '2024-03-01T10:20:31+08:00 user: 你好, 在吗',
      '2024-03-01T10:21:00+08:00 李四: 第一行\n第二行 "引"',
    ]);
    expect(read.leftOut).toEqual({ 'media or system message': 2 });
  });

  it('of WeChatMsg for a group, of MemoTrace, chatlog and PyWxDump', () => {
    const group = toText(
      'localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,Remark,NickName,Sender',
      '1,7,1,0,0,1709259631,2,早,2024-03-01 10:20:31,老王,王五,wxid_1',
      '2,7,1,0,0,1709259632,2,早啊,2024-03-01 10:20:32,,赵六,wxid_2',
    );
    expect(toLines(readAll(group)).map((line) => line.slice(26))).toEqual(['老王: 早', '赵六: 早啊']);
    const memotrace = toText(
      '消息ID,类型,发送人,时间,内容,备注,昵称,更多信息',
      '1,文本,小明,2024-03-01 10:20:31,你好,,,',
      '2,图片,小明,2024-03-01 10:20:32,x.jpg,,,',
      '3,引用消息,李四,2024/3/1 10:20,收到,,,',
    );
    expect(toLines(readAll(memotrace))).toEqual(['2024-03-01T10:20:31Z 小明: 你好', '2024-03-01T10:20:00Z 李四: 收到']);
    const chatlog = toText(
      'Time,SenderName,Sender,TalkerName,Talker,Content',
      '2024-03-01 10:20:31,小明,wxid_a,茶友,1@chatroom,你好',
      '2024-03-01 10:20:32,,wxid_b,茶友,1@chatroom,![图片](http://127.0.0.1/image/1)',
      '2024-03-01 10:20:33,,wxid_b,茶友,1@chatroom,在',
    );
    const read = readAll(chatlog);
    expect(toLines(read)).toEqual(['2024-03-01T10:20:31Z 小明: 你好', '2024-03-01T10:20:33Z wxid_b: 在']);
    expect(read.conversations).toMatchObject([{ title: '茶友' }]);
    const pywxdump = toText(
      'id,MsgSvrID,type_name,is_sender,talker,room_name,msg,src,CreateTime',
      '1,11,文本,0,wxid_a,2@chatroom,你好,,2024-03-01 10:20:31',
      '2,12,动画表情,0,wxid_a,2@chatroom,,x.gif,2024-03-01 10:20:32',
      '3,13,引用回复,1,我,2@chatroom,嗯,,2024-03-01 10:20:33',
    );
    expect(toLines(readAll(pywxdump))).toEqual(['2024-03-01T10:20:31Z wxid_a: 你好', '2024-03-01T10:20:33Z user: 嗯']);
  });

  it('saved by a spreadsheet, with semicolons or tabs and half days', () => {
    for (const separator of [';', '\t']) {
      const text = toText(
        ['时间', '发送人', '消息内容'].join(separator),
        ['2024/3/1 下午3:05', '小明', '下午好'].join(separator),
        ['2024年3月1日 15:06:07', '李四', '好'].join(separator),
      );
      expect(toLines(readAll(text))).toEqual(['2024-03-01T15:05:00Z 小明: 下午好', '2024-03-01T15:06:07Z 李四: 好']);
    }
  });

  it('names a row whose time there is not, and goes on', () => {
    const text = toText('时间,发送人,内容', '2024-13-41 10:00:00,小明,坏', '2024-03-01 10:00:00,小明,好');
    const read = readAll(text);
    expect(read.faults).toEqual(['line 2: there is no such date or time']);
    expect(toLines(read)).toEqual(['2024-03-01T10:00:00Z 小明: 好']);
  });
});

describe('WeChat as JSON', () => {
  it('of WeFlow and EchoTrace', () => {
    const message = (type: string, content: string | null, isSend: number | null, name = '小明') => ({
      localId: 1,
      createTime: 1709259631,
      formattedTime: '2024-03-01 10:20:31',
      type,
      localType: 1,
      content,
      isSend,
      senderUsername: `wxid_${name}`,
      senderDisplayName: name,
      source: '',
    });
    const read = readAll(
      json({
        weflow: { version: '1.0.3', exportedAt: 1 },
        session: { wxid: 'wxid_b', nickname: '李四', remark: '老李', displayName: '老李', type: '私聊' },
        messages: [
          message('文本消息', '你好', 0),
          message('图片消息', '[图片]', 0),
          message('系统消息', '以上是打招呼的内容', null),
          message('引用消息', '好的', 1, '我'),
        ],
      }),
    );
    expect(read.format).toBe('wechat-json');
    expect(toLines(read)).toEqual(['2024-03-01T10:20:31+08:00 小明: 你好', '2024-03-01T10:20:31+08:00 user: 好的']);
    expect(read.conversations[0]).toMatchObject({ id: 'wechat-wxid_b', title: '老李' });
    const { session, messages } = { session: { wxid: 'w' }, messages: [message('文本消息', '早', 0)] };
    expect(toLines(readAll(json({ session, messages })))).toHaveLength(1);
  });

  it('of chatlog and PyWxDump', () => {
    const chatlog = json([
      {
        seq: 1,
        time: '2024-03-01T10:20:31+08:00',
        talker: '1@chatroom',
        talkerName: '茶友',
        isChatRoom: true,
        sender: 'wxid_a',
        senderName: '小明',
        isSelf: false,
        type: 1,
        subType: 0,
        content: '你好',
      },
      {
        seq: 2,
        time: '2024-03-01T10:20:32+08:00',
        talker: '1@chatroom',
        talkerName: '茶友',
        isChatRoom: true,
        sender: 'wxid_b',
        senderName: '',
        isSelf: true,
        type: 49,
        subType: 57,
        content: '嗯',
        contents: {},
      },
      {
        seq: 3,
        time: '2024-03-01T10:20:33+08:00',
        talker: '1@chatroom',
        talkerName: '茶友',
        isChatRoom: true,
        sender: '系统消息',
        senderName: '',
        isSelf: false,
        type: 10000,
        subType: 0,
        content: '撤回',
      },
    ]);
    const read = readAll(chatlog);
    expect(toLines(read)).toEqual(['2024-03-01T10:20:31+08:00 小明: 你好', '2024-03-01T10:20:32+08:00 user: 嗯']);
    const pywxdump = json([
      {
        id: 1,
        MsgSvrID: '9',
        type_name: '文本',
        is_sender: 0,
        talker: 'wxid_a',
        room_name: 'wxid_a',
        content: { src: '', msg: '你好' },
        CreateTime: '2024-03-01 10:20:31',
      },
    ]);
    expect(toLines(readAll(pywxdump))).toEqual(['2024-03-01T10:20:31Z wxid_a: 你好']);
  });
});

describe('WeChat as text of exporters', () => {
  it('of WeChatMsg: quotations and cards are no words of who sent them', () => {
    const text = toText(
      '2024-03-01 10:20:31 小明',
      '好的，周六见',
      '引用:李四:周六有空吗',
      '',
      '2024-03-01 10:20:40 李四',
      '[表情包]',
      '',
      '2024-03-01 10:20:50 你已添加了李四，现在可以开始聊天了。',
      '',
      '2024-03-01 10:21:00 李四',
      '[音乐分享]',
      '',
      '2024-03-01 10:22:00 李四',
      '几点？',
      '',
    );
    expect(toLines(readAll(text))).toEqual([
      '2024-03-01T10:20:31Z 小明: 好的，周六见',
      '2024-03-01T10:22:00Z 李四: 几点？',
    ]);
  });

  it('of chatlog: names with ids, the exporter as 我, groups, links, and days with or without a year', () => {
    const text = toText(
      '小明(wxid_a1) 2024-03-01 10:20:31',
      '你好',
      '',
      '老李(我) 2024-03-01 10:20:40',
      '> 小明(wxid_a1) 03-01 10:20:31',
      '> 你好',
      '好啊',
      '',
      'wxid_b2 2024-03-01 10:21:00',
      '[链接|茶](https://x.org/a)',
      '',
      '系统消息 2024-03-01 10:21:30',
      '小明撤回了一条消息',
      '',
      '小明(wxid_a1) 2024-03-02 09:00:00',
      '早',
    );
    expect(toLines(readAll(text))).toEqual([
      '2024-03-01T10:20:31Z 小明: 你好',
      '2024-03-01T10:20:40Z user: 好啊',
      '2024-03-02T09:00:00Z 小明: 早',
    ]);
    const yearless = toText(
      ...['小明(wxid_a1) [茶友(1@chatroom)] 12-31 23:59:58', '旧年', '', '李四(wxid_b2) 01-01 00:00:01', '新年好', ''],
    );
    expect(toLines(readAll(yearless, { date: '2023-12-31' }))).toEqual([
      '2023-12-31T23:59:58Z 小明: 旧年',
      '2024-01-01T00:00:01Z 李四: 新年好',
    ]);
    const undated = readAll(yearless);
    expect(toLines(undated)).toEqual(['- 小明: 旧年', '- 李四: 新年好']);
    expect(undated.notes).toEqual(['its days have no year, so its turns are undated: give --date']);
  });

  it('with names or times in brackets, and full-width colons', () => {
    const told = ['2024-03-01T10:20:31Z 小明: 你好', '2024-03-01T10:20:40Z 李四: 在吗'];
    const forms = [
      toText('[2024-03-01 10:20:31] 小明：你好', '[2024-03-01 10:20:40] 李四：在吗'),
      toText('【小明】2024-03-01 10:20:31', '你好', '【李四】2024-03-01 10:20:40', '在吗'),
      toText('小明 [2024-03-01 10:20:31]', '你好', '李四 [2024-03-01 10:20:40]', '在吗'),
      toText('小明: 2024-03-01 10:20:31', '你好', '', '李四: 2024-03-01 10:20:40', '在吗'),
    ];
    for (const text of forms) expect(toLines(readAll(text))).toEqual(told);
  });

  it('with years of two digits, months and days in words, and weekdays', () => {
    expect(toLines(readAll(toText('小明 24/3/1 10:20', '你好', '李四 24/3/1 10:21', '在')))).toEqual([
      '2024-03-01T10:20:00Z 小明: 你好',
      '2024-03-01T10:21:00Z 李四: 在',
    ]);
    const words = toText('2024年3月1日 星期五 上午10:20 小明', '你好', '', '2024年3月1日 星期五 下午1:05 李四', '在');
    expect(toLines(readAll(words))).toEqual(['2024-03-01T10:20:00Z 小明: 你好', '2024-03-01T13:05:00Z 李四: 在']);
    const inline = toText('2024年3月1日 下午3:05 小明：下午好', '2024年3月1日 下午3:06 李四：好');
    expect(toLines(readAll(inline))).toEqual(['2024-03-01T15:05:00Z 小明: 下午好', '2024-03-01T15:06:00Z 李四: 好']);
    const noon = toText(
      '小明 2024/3/1 中午12:30',
      '吃了吗',
      '李四 2024/3/1 凌晨12:10',
      '还没睡',
      '小明 2024/3/1 晚上11:05',
      '睡',
    );
    expect(toLines(readAll(noon)).map((line) => line.slice(11, 16))).toEqual(['12:30', '00:10', '23:05']);
  });
});

describe('chats with names and times in lines of their own', () => {
  it('are read with the name above or below, with or without blank lines', () => {
    const told = [
      '2024-03-01T10:20:31Z 小明: 你好\n第二行',
      '2024-03-01T10:20:40Z 李四: 在吗',
      '2024-03-01T10:21:00Z 小明: 在',
      '2024-03-01T10:21:10Z 李四: 走',
    ];
    const said = [
      ['小明', '2024-03-01 10:20:31', '你好\n第二行'],
      ['李四', '2024-03-01 10:20:40', '在吗'],
      ['小明', '2024-03-01 10:21:00', '在'],
      ['李四', '2024-03-01 10:21:10', '走'],
    ] as const;
    for (const gap of ['', '\n']) {
      const above = said.map(([name, time, words]) => `${name}\n${time}\n${words}\n${gap}`).join('');
      const below = said.map(([name, time, words]) => `${time}\n${name}\n${words}\n${gap}`).join('');
      expect(toLines(readAll(above))).toEqual(told);
      expect(toLines(readAll(below))).toEqual(told);
    }
    const teams = toText(
      'Ann Lee',
      '3/5/2024 2:03 PM',
      'hi',
      'Ben',
      '3/5/2024 2:04 PM',
      'yo',
      'Ann Lee',
      '3/5/2024 2:05 PM',
      'ok',
    );
    expect(toLines(readAll(`${teams}\nBen\n3/5/2024 2:06 PM\nbye`)).map((one) => one.slice(11))).toEqual([
      '14:03:00Z Ann Lee: hi',
      '14:04:00Z Ben: yo',
      '14:05:00Z Ann Lee: ok',
      '14:06:00Z Ben: bye',
    ]);
  });

  it('are not taken for entries of a diary', () => {
    const diary = toText(
      'Lyon',
      '2024-03-05 09:00',
      'We arrived.',
      '',
      'Paris',
      '2024-03-06 09:00',
      'It rained.',
      '',
      'Rome',
      '2024-03-07 09:00',
      'Sun.',
    );
    expect(readAll(diary).format).toBe('text');
  });
});

describe('QQ', () => {
  it('with 12 hours, cards in a group, and notices of the program', () => {
    const text = toText(
      '消息记录（此消息记录为文本格式，不支持重新导入）',
      '',
      '消息分组:我的群聊',
      '消息对象:读书会（周六）',
      '',
      '2019-09-23 8:43:38 PM 骰娘-Roll100(87200175)',
      '1',
      '',
      '2019-09-23 8:43:38 PM 系统消息(1000000)',
      '真核生物加入本群。',
      '',
      '2019-09-24 12:07:00 AM 【群主】王五:)(54321)',
      '夜里',
      '[图片]',
      '',
      '2019-09-24 7:54:29 AM 李四<li.si@qq.com>',
      '',
      '',
      '2019-09-24 9:16:35 AM 李四<li.si@qq.com>',
      '早',
    );
    const read = readAll(text);
    expect(read.format).toBe('qq');
    expect(toLines(read)).toEqual([
      '2019-09-23T20:43:38Z 骰娘-Roll100: 1',
      '2019-09-24T00:07:00Z 王五:): 夜里\n[图片]',
      '2019-09-24T09:16:35Z 李四: 早',
    ]);
    expect(read.conversations[0]?.title).toBe('读书会（周六）');
  });

  it('of QQChatExporter as JSON, whole or a message a line, and as text', () => {
    const message = (name: string, text: string, more: object = {}) => ({
      id: '7',
      seq: '1',
      timestamp: 1709259631000,
      time: '2024-03-01T02:20:31.000Z',
      type: 'text',
      sender: { uid: `u_${name}`, uin: name === '我' ? '10001' : '2', name },
      content: { text, html: '', elements: [], resources: [] },
      recalled: false,
      system: false,
      ...more,
    });
    const messages = [
      message('小明', '你好[表情: /微笑]'),
      message('小明', '[图片: a.jpg]'),
      message('小明', '加入', { system: true }),
      message('李四', '没了', { recalled: true }),
      message('我', '[回复 小明: 你好]\n在'),
    ];
    const metadata = { name: 'QQChatExporter V4', version: '4.0.0' };
    const chatInfo = { name: '茶友', type: 'group', selfUin: '10001' };
    const read = readAll(json({ metadata, chatInfo, statistics: {}, messages }), { timezone: 'Asia/Shanghai' });
    expect(read.format).toBe('qq-json');
    expect(toLines(read)).toEqual(['2024-03-01T10:20:31+08:00 小明: 你好', '2024-03-01T10:20:31+08:00 user: 在']);
    expect(read.leftOut).toEqual({
      media: 1,
      'system message': 1,
      'deleted message': 1,
      'quotation of another message': 1,
    });
    const lines = readAll(messages.map((one) => JSON.stringify(one)).join('\n'));
    expect(toLines(lines)).toHaveLength(2);
    const text = toText(
      '[QQChatExporter V4 / https://github.com/shuakami/qq-chat-exporter]',
      '',
      '===============================================',
      '           QQ聊天记录导出文件',
      '===============================================',
      '',
      '聊天名称: 茶友',
      '聊天类型: 群聊',
      '导出时间: 2024-03-05 10:00:00',
      '消息总数: 3',
      '',
      '小明:',
      '时间: 2024-03-01 10:20:31',
      '内容: 你好',
      '第二行: 是的',
      '',
      '李四:',
      '时间: 2024-03-01 10:20:40',
      '内容: [图片: a.jpg]',
      '资源: 1 个文件',
      '  - image: a.jpg',
      '',
      '李四:',
      '时间: 2024-03-01 10:21:00',
      '内容: 在',
      '回复: 小明 - 你好',
      '',
      '===============================================',
      '              导出完成',
      '===============================================',
      '总计导出 3 条消息',
    );
    const exported = readAll(text);
    expect(exported.format).toBe('qq-exporter');
    expect(toLines(exported)).toEqual([
      '2024-03-01T10:20:31Z 小明: 你好\n第二行: 是的',
      '2024-03-01T10:21:00Z 李四: 在',
    ]);
    expect(exported.conversations[0]?.title).toBe('茶友');
  });

  it('in the exchange format of ChatLab', () => {
    const messages = [
      { sender: '1', accountName: '张三', timestamp: 1703001600, type: 0, content: '大家好！' },
      { sender: '2', accountName: '李四', groupNickname: '老李', timestamp: 1703001601, type: 25, content: '好' },
      { sender: '2', accountName: '李四', timestamp: 1703001602, type: 1, content: '[图片]' },
    ];
    const meta = { name: '我的群聊', platform: 'qq', type: 'group' };
    const read = readAll(json({ chatlab: { version: '0.0.2', exportedAt: 1 }, meta, members: [], messages }));
    expect(toLines(read).map((line) => line.slice(25))).toEqual(['张三: 大家好！', '老李: 好']);
    const lines = [
      { _type: 'header', chatlab: { version: '0.0.2' }, meta },
      { _type: 'member', platformId: '1' },
      ...messages.map((one) => ({ _type: 'message', ...one })),
    ];
    expect(toLines(readAll(lines.map((one) => JSON.stringify(one)).join('\n')))).toEqual(toLines(read));
  });
});

describe('DeepSeek', () => {
  it('follows the branch that goes on, with thoughts left out', () => {
    const node = (id: string, parent: string | null, type: string, content: string) => ({
      id,
      parent,
      children: [],
      message: { inserted_at: '2025-04-29T11:59:13.202000+08:00', model: 'r', fragments: [{ type, content }] },
    });
    const mapping = {
      root: { id: 'root', parent: null, children: ['1'], message: null },
      '1': node('1', 'root', 'REQUEST', '我对花生过敏'),
      '2': node('2', '1', 'RESPONSE', '第一次'),
      '3': {
        ...node('3', '1', 'THINK', '想'),
        message: {
          inserted_at: '2025-04-29T11:59:14+08:00',
          fragments: [
            { type: 'THINK', content: '想' },
            { type: 'RESPONSE', content: '记住了' },
          ],
        },
      },
    };
    const read = readAll(json([{ id: 'd-1', title: '花生', inserted_at: '2025-04-29T11:59:11+08:00', mapping }]));
    expect(read.format).toBe('deepseek');
    expect(toLines(read)).toEqual([
      '2025-04-29T11:59:13+08:00 user: 我对花生过敏',
      '2025-04-29T11:59:14+08:00 assistant: 记住了',
    ]);
    expect(read.conversations[0]).toMatchObject({ id: 'deepseek-d-1', title: '花生' });
  });
});
