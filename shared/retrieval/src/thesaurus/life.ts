/** More of everyday life; in the form that `concepts.ts` describes. */
export const life = `
  人 人们 | people person
  男人 男士 | man male
  女人 女士 | woman female
  老人 长辈 老年人 | elderly senior
  青少年 少年 | teenager
  婆家 娘家
  继父 继母 | stepfather stepmother stepdad stepmum
  养父 养母 领养 收养 | adopt adoption
  教父 教母 | godfather godmother
  妈 妈咪 | mom mummy mum mother
  爸 爹地 | daddy dad father
  兄弟姐妹 手足 | sibling brother sister
  室友 舍友 | roommate flatmate
  导师 师傅 教练 | mentor coach tutor trainer
  保姆 月嫂 | nanny babysitter
  葬礼 丧事 | funeral
  坟墓 墓地 | grave cemetery
  遗产 继承 | inheritance inherit
  合同 协议 | contract agreement
  创业 开公司 | startup founder business
  股东 合伙人 | partner shareholder
  兼职 打工 | side
  实习 学徒 | internship intern apprentice
  履历 简历 | resume
  老本行 行业 领域 | industry field
  军人 当兵 军队 | soldier army military
  消防 消防员 | firefighter
  飞行员 机长 | pilot
  空姐 空乘 | stewardess
  理发师 发型师 | hairdresser barber
  水管工 管道工 | plumber
  电工 木匠 工匠 | electrician carpenter
  摄影师 | photographer
  音乐家 乐手 | musician
  科研 研究 实验 | research study experiment
  化学 物理 生物学 数学 | chemistry physics biology maths
  心脏 心脏病 | heart cardiac
  肺 哮喘 呼吸 | lung asthma breathing inhaler
  肾 肾脏 | kidney
  肝 肝炎 | liver
  皮肤 皮疹 红疹 湿疹 | skin rash eczema
  背 腰 腰痛 脊椎 | back spine
  肩膀 脖子 颈椎 | shoulder neck
  心理 抑郁 心理咨询 | therapy depression therapist counselling
  怀孕 孕妇 产检 | pregnant pregnancy expecting expectant
  残疾 轮椅 | disabled disability wheelchair
  急救 救护车 | ambulance emergency
  处方 剂量 | prescription dose tablets pills medication medicine
  维生素 补品 | vitamin supplement
  饮食 忌口 节食 | diet eating
  无麸质 麸质 | gluten coeliac
  乳糖 | lactose dairy milk
  纯素 | vegan vegetarian meat
  猪肉 牛肉 羊肉 鸡肉 | pork beef lamb chicken meat
  鸡蛋 蛋 | egg
  奶奶做 拿手 招牌 | speciality signature
  甜品 冰淇淋 巧克力 | dessert sweets chocolate cake
  早起 起床 | wake awake
  洗澡 淋浴 | shower bath
  牙刷 牙膏 | toothbrush
  香水 化妆 护肤 | perfume makeup cosmetics
  纹身 | tattoo
  胡子 | beard moustache
  眼睛颜色 瞳色 | eyes
  左撇子
  性格 脾气 | personality temper
  宗教 信仰 信教 | religion faith church
  佛教 基督教 伊斯兰教 | buddhist christian muslim
  政党 政治 | party politics political
  公民 国籍 | citizenship nationality
  移民 定居 | immigrate immigration settle
  口音 方言 | accent dialect
  民族 | ethnicity
  生肖 星座 | zodiac sign
  养 饲养 喂 | keep feed raise
  兽医 | vet veterinary
  鸡 母鸡 鸭 家禽 | hen chicken duck poultry
  马 骑马 | horse riding
  牛 羊 农场 牧场 | cow sheep farm ranch
  蜜蜂 昆虫 | bee insect
  树 树木 果树 | tree orchard
  番茄 西红柿 | tomato
  土豆 马铃薯 | potato
  浇水 浇花 | water watering
  地板 墙 墙壁 天花板 | floor wall ceiling
  门 窗户 锁 | door window lock
  钥匙 门卡 | key
  灯 电灯 照明 | lamp light
  水管 漏水 下水道 | pipe leak drain plumber
  电费 水费 账单 | bill utility electricity
  煤气 燃气 | gas
  烤箱 炉子 微波炉 | oven stove microwave
  洗衣 晾衣 | laundry
  吸尘 扫地 | vacuum sweep
  垃圾 回收 | rubbish trash recycling garbage bin
  快递 包裹 | parcel package delivery
  超市 商店 市场 | supermarket shop store market grocery
  退货 退款 | refund return
  折扣 优惠 | discount sale
  遥控器 | remote
  充电 电池 | battery charge charger
  耳机 音响 | headphones speaker earphones
  平板 | tablet ipad
  键盘 鼠标 显示器 屏幕 | keyboard mouse monitor screen
  打印机 | printer
  笔记本电脑 手提电脑 | laptop notebook macbook thinkpad chromebook computer
  智能手机 | smartphone iphone phone mobile
  邮箱 邮件地址 | email address
  社交媒体 微博 朋友圈 | social media
  骑行 单车 | cycling cycle bike bicycle
  轮胎 离合 刹车 | tyre clutch brake
  加油 汽油 | petrol fuel gas
  电动汽车 充电桩 | electric tesla ev
  停车 车位 车库 | parking garage
  堵车 通勤 上下班 | commute traffic
  车祸 事故 | accident crash
  票 门票 车票 | ticket
  行李 箱子 | luggage suitcase
  机场 | airport
  海关 | customs
  景点 博物馆 | museum sights
  露营 帐篷 | camping tent
  钓鱼 | fishing
  打猎 | hunting
  爬山 攀岩 | climb climbing hike hiking
  滑板 冲浪 潜水 | surf surfing diving skateboard
  瑜伽 冥想 | yoga meditation
  篮球 排球 | basketball volleyball
  下棋 象棋 围棋 | chess
  打牌 麻将 | cards mahjong
  拼图 乐高 | puzzle lego
  编织 缝纫 手工 | knit knitting sew sewing craft
  陶艺 雕塑 | pottery sculpture ceramics
  园艺 种花 | gardening garden
  烘焙 烤 | bake baking baked
  收藏 集邮 | collect collection stamps
  话剧 戏剧 歌剧 演出 | theatre play opera show
  音乐会 演唱会 | concert gig
  乐队 合唱 管弦乐 | band choir orchestra
  唱片 专辑 | album record
  播客 电台 广播 | podcast radio
  新闻 报纸 杂志 | news newspaper magazine
  诗 诗歌 | poem poetry
  漫画 动漫 | comic anime
  导演 | director
  电视剧 剧集 | series show
  球队 支持 球迷 | team support fan
  冠军 奖牌 获奖 | champion medal prize award winner
  圣诞节 圣诞 | christmas
  新年 元旦 春节
  情人节 | valentine
  婚宴 蜜月 | honeymoon reception
  毕业典礼 | graduation ceremony
  中学 高中 初中 | highschool secondary
  小学 幼儿园 | primary nursery kindergarten
  博士 硕士 学士 | phd master bachelor degree
  奖学金 学费 | scholarship tuition fees
  辅导 家教 | tutoring lessons
  考研 留学 | abroad study
  钱包 | wallet purse
  现金 零钱 | cash
  工资卡 转账 | transfer
  债 欠款 借钱 | debt owe borrow loan
  退休金 养老金 | pension retirement
  预算 开支 | budget expenses
  利率 利息 | interest rate
  比特币 加密货币 | bitcoin crypto
  捐款 捐赠 | donate donation charity
  志愿者 救助站 | volunteer volunteering shelter foodbank charity
  投诉 抱怨 | complain complaint
  罚款 罚单 | ticket penalty
  法院 官司 起诉 | court lawsuit sue
  偷窃 抢劫 | robbery theft burglary
  春天 春季 | spring
  夏天 夏季 | summer
  秋天 秋季 | autumn
  冬天 冬季 | winter
  雪 冰 | snow ice
  雨 暴雨 | rain storm
  热 炎热 | hot heat
  冷 寒冷 | cold
  地震 洪水 台风 | earthquake flood typhoon
  昨天 今天 明天 | yesterday today tomorrow
  上周 下周
  多久一次 经常 常常 | often frequently regularly
  第一次 首次 | first
  以前 曾经 从前 | before former previously
  将来 未来 以后 | future
  会面 见面 约会 | meet meeting date appointment
  预约 挂号 | appointment booking book
  取消 推迟 | cancel postpone
  迟到 晚点 | late delay delayed
  吵架 争吵 矛盾 | argue argument quarrel fight
  原谅 道歉 | forgive apologise sorry
  秘密 隐私 | secret privacy
  相信 信任 | trust believe
  帮忙 救 | rescue help
  遇到 认识 | met meet
  介绍 推荐 | introduce recommend
  邀请 请客 | invite invitation
  拜访 做客 看望 | visit
  打电话 视频 | call phone video
  写信 信 | letter
  说话 聊天 交谈 | talk speak chat conversation
  演讲 发言 | speech presentation talk
  听 听见 | hear listen
  看 看见 观看 | watch see look
  走 走路 散步 | walk walking
  站 坐 躺 | stand sit lie
  拿 带 携带 | carry bring take
  送 寄 | send deliver
  放 摆 | put place
  换 更换 替换 | change replace switch swap
  选 选择 挑选 | choose select pick
  决定 决策 | decide decision
  同意 答应 | agree
  拒绝 反对 | refuse reject decline
  允许 许可 | allow permit
  禁止 不准 | forbid ban prohibit
  增加 提高 上涨 涨 | increase raise rise grow
  减少 降低 下降 少 | decrease reduce cut lower
  避免 不碰 不喝 不吃 | avoid
  保护 防止 | protect prevent
  成功 失败 | succeed fail
  赢 胜利 输 | win lose
  找 寻找 查找 | search find look
  大 巨大 | large big huge
  小 微小 | small little tiny
  快 迅速 多快 | fast quick quickly speed
  慢 缓慢 | slow
  新 崭新 | new
  旧 老 | old
  美 漂亮 | beautiful pretty
  丑 难看 | ugly
  聪明 | clever smart
  有钱 富有 | rich wealthy
  穷 贫穷 | poor
  孤独 寂寞 | lonely alone
  自豪 骄傲 | proud
  害羞 | shy
`;
