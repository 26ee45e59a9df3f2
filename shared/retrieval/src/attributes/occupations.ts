/** English occupations, by the last word of their name: `software engineer` ends in one. */
const english = `
  accountant actor actress actuary analyst anaesthetist apprentice archaeologist architect archivist artist astronomer
  astronaut auditor author baker banker barber barista bartender biologist blacksmith bookkeeper bookseller botanist
  bricklayer broker builder butcher caretaker carer carpenter cartographer cashier chef chemist chiropractor choreographer
  cleaner composer conductor consultant cook copywriter courier counsellor counselor curator dancer decorator dentist designer
  detective developer dietitian diplomat director dj doctor driver economist editor electrician engineer entrepreneur farmer
  firefighter fisherman florist gardener geologist glazier goldsmith gp grocer hairdresser historian housekeeper illustrator
  instructor interpreter investigator janitor jeweller jeweler journalist judge laborer labourer lawyer lecturer librarian
  locksmith logistician magistrate manager mason mathematician mechanic mediator meteorologist midwife miner musician nanny
  neurologist notary novelist nurse nutritionist optician optometrist painter paralegal paramedic pathologist pediatrician
  paediatrician pharmacist photographer physicist physiotherapist pianist pilot plasterer plumber police_officer policeman
  policewoman politician postman potter principal producer professor programmer psychiatrist psychologist publisher
  radiographer radiologist realtor receptionist recruiter reporter researcher roofer sailor salesman salesperson saleswoman
  scientist sculptor seamstress secretary shepherd shopkeeper singer sociologist soldier solicitor statistician stonemason
  student surgeon surveyor tailor teacher technician therapist tiler trainer translator tutor undertaker upholsterer vet
  veterinarian waiter waitress watchmaker welder writer zoologist assistant officer clerk operator administrator coordinator`;

/** What may stand before an occupation after "I am a": words of the trade, not of how well or how long. */
const trade = `
  retired freelance senior junior chief head lead principal primary secondary school high university software hardware
  mechanical electrical civil chemical structural aerospace mechatronics backend frontend data web mobile systems network security
  graphic interior fashion product industrial game bus truck lorry taxi train tram delivery car aircraft ship forest flight
  music art maths math english history science language physics chemistry biology sports ski yoga driving teaching research
  medical dental legal veterinary social care family general pastry sous head sales marketing project account office bank
  store shop hotel restaurant landscape wedding travel press news film sound stage theatre jazz opera tax criminal police customs prison
  fire maintenance service support quality test machine crane night trainee student`;

/** Chinese occupations in full. */
const chinese = `
  医生 护士 老师 教师 律师 工程师 设计师 程序员 会计 会计师 翻译 记者 编辑 作家 演员 歌手 导演 摄影师 厨师 面包师 理发师 美容师 司机 警察 军人 士兵
  消防员 公务员 教授 讲师 学生 大学生 研究生 高中生 研究员 科学家 药剂师 牙医 兽医 心理医生 心理咨询师 咨询师 建筑师 电工 木工 木匠 水管工 焊工 瓦工 油漆工
  农民 渔民 牧民 工人 快递员 外卖员 销售员 售货员 收银员 服务员 营业员 保安 保姆 保洁员 月嫂 飞行员 空姐 空乘 船员 海员 教练 健身教练 导游 画家 音乐家
  钢琴家 舞蹈家 诗人 法官 检察官 公证员 秘书 助理 经理 产品经理 项目经理 销售经理 客户经理 主管 分析师 数据分析师 架构师 测试工程师 运维工程师 前端工程师
  后端工程师 软件工程师 算法工程师 机械工程师 土木工程师 电气工程师 硬件工程师 图书管理员 裁缝 园丁 花艺师 咖啡师 调酒师 插画师 剪辑师 化妆师 精算师 审计师
  经济学家 历史学家 物理学家 化学家 生物学家 数学家 播音员 主持人 广告策划 文案 社工 护工 自由职业者 个体户 店主`;
const chineseTrade =
  '退休|资深|高级|中学|小学|大学|高中|初中|幼儿园|英语|数学|语文|物理|化学|历史|音乐|美术|体育|儿科|外科|内科|眼科|急诊科|女|男';

const englishOccupations = new Set(english.trim().split(/\s+/));
const tradeWords = new Set(trade.trim().split(/\s+/));
const chineseOccupations = new Set(chinese.trim().split(/\s+/));
const CHINESE_TRADE = new RegExp(`^(?:${chineseTrade})`, 'u');

/** Whether an English word, lower case, is the last of an occupation's name. */
export const isOccupation = (word: string): boolean => englishOccupations.has(word);

/** Whether an English word, lower case, says of what trade an occupation is. */
export const isOfTrade = (word: string): boolean => tradeWords.has(word);

/** Whether a Chinese text is an occupation, with at most one word of its trade before it: 中学老师. */
export const isChineseOccupation = (text: string): boolean =>
  chineseOccupations.has(text) || chineseOccupations.has(text.replace(CHINESE_TRADE, ''));
