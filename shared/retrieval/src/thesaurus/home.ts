/** Home, food, things, travel and leisure; in the form that `concepts.ts` describes. */
export const home = `
  房子 住房 住宅 房屋 公寓 | house apartment home
  租房 租 房租 租金 | rent
  房东 业主 | landlord
  搬家 搬到 迁居 搬 | move
  住 居住 住址 地址 | live address
  城市 市 | city town
  国家 | country
  乡下 农村 村子 乡村 | village countryside
  房贷 贷款 按揭 | mortgage loan
  装修 翻新 粉刷 刷 | renovate decorate paint
  厨房 做饭 烹饪 | kitchen cook
  卧室 房间 | bedroom room
  客厅 起居室 | living room
  卫生间 厕所 浴室 洗手间 | bathroom toilet
  阳台 露台 | balcony
  院子 花园 庭院 | garden yard
  屋顶 房顶 | roof
  家具 沙发 桌子 椅子 床 柜子 | furniture
  空调 冷气 | air conditioner
  暖气 供暖 锅炉 地暖 | heating boiler
  冰箱 冷柜 | fridge
  洗衣机 洗碗机 | washing machine dishwasher
  电视 电视机 | television
  修理 维修 修 | repair fix
  坏了 故障 出故障 损坏 | broken broke
  颜色 色 | colour
  宠物 | pet
  狗 小狗 犬 | dog
  猫 小猫 猫咪 | cat
  动物 | animal
  鸟 鹦鹉 | bird
  鱼 金鱼 | fish
  植物 花 花草 盆栽 绿植 | plant flower
  种 种植 栽 | plant grow
  蔬菜 青菜 菜 | vegetable
  水果 果子 | fruit
  肉 肉类 荤 | meat
  海鲜 虾 蟹 贝类 | seafood shellfish
  调料 佐料 香料 调味品 | spice seasoning herb
  香菜 芫荽 | coriander
  盐 咸 | salt
  糖 甜 甜食 | sugar sweet
  辣 辣椒 | spicy
  坚果 花生 核桃 杏仁 | nut peanut
  牛奶 乳制品 奶酪 酸奶 | milk dairy
  面包 蛋糕 点心 甜点 | bread cake dessert
  米饭 面条 饺子 主食 | rice noodles dumplings
  早饭 早餐 | breakfast
  午饭 午餐 中饭 | lunch
  晚饭 晚餐 | dinner
  饭店 餐馆 餐厅 馆子 | restaurant
  菜 菜肴 料理 拿手菜 食谱 | dish recipe
  咖啡 美式 拿铁 咖啡因 浓缩 | coffee espresso
  茶 茶叶 绿茶 红茶 | tea
  饮料 喝 果汁 汽水 | drink
  衣服 服装 穿 | clothes wear
  鞋 鞋子 运动鞋 | shoes
  裙子 裤子 衬衫 外套 毛衣 | skirt trousers shirt coat
  戒指 首饰 项链 耳环 | ring jewellery
  电脑 计算机 笔记本 台式机 | computer laptop
  手机 电话 号码 | phone number
  相机 照相机 摄影 拍照 | camera photo
  网络 上网 宽带 无线网 | internet wifi
  密码 口令 | password
  汽车 车 轿车 车子 开车 座驾 | car vehicle
  自行车 单车 脚踏车 骑车 | bicycle bike
  摩托车 电动车 | motorcycle scooter
  火车 高铁 列车 动车 | train
  飞机 航班 坐飞机 乘机 机票 | plane flight fly
  地铁 公交 巴士 公共汽车 | bus subway
  船 轮船 游艇 | boat ship
  驾照 驾驶证 | driving licence
  护照 签证 证件 | passport visa
  旅行 旅游 度假 出游 游玩 | travel trip holiday
  酒店 宾馆 旅馆 民宿 | hotel
  海边 沙滩 大海 海 | beach sea
  山 爬山 登山 徒步 | mountain hike
  钱 现金 金额 款 | money
  存钱 攒钱 储蓄 积蓄 存款 | save savings
  花钱 消费 开销 支出 | spend
  银行 账户 | bank account
  信用卡 银行卡 | credit card
  投资 股票 基金 理财 | invest shares
  保险 投保 | insurance
  税 税款 报税 | tax
  买 购买 购物 购入 | buy
  卖 出售 | sell
  便宜 贵 价格 价钱 | price
  礼物 送礼 | gift present
  学校 学院 校园 | school
  大学 高校 本科 | university
  专业 主修 学科 | major subject
  学习 学 课程 上课 读书 | study learn class
  外语 语言 | language
  英语 法语 德语 日语 西班牙语 | english french german japanese spanish
  考试 测验 成绩 分数 | exam grade
  毕业 学位 文凭 | graduate degree
  作业 论文 | homework essay
  书 书籍 小说 阅读 看书 | book read
  图书馆 | library
  电影 影片 看电影 | film movie
  音乐 歌 歌曲 唱歌 唱 | music song sing
  乐器 | instrument
  钢琴 吉他 小提琴 二胡 古筝 | piano guitar violin
  画画 绘画 美术 | draw paint
  跳舞 舞蹈 | dance
  运动 体育 锻炼 健身 | sport exercise gym
  跑步 长跑 马拉松 慢跑 跑 | run race marathon
  游泳 泳池 | swim
  足球 篮球 网球 羽毛球 乒乓球 | football basketball tennis
  滑雪 滑冰 | ski skate
  比赛 竞赛 赛事 | race match competition
  游戏 打游戏 | game
  爱好 兴趣 业余 | hobby
  聚会 派对 宴会 聚餐 | party
  节日 春节 中秋 国庆 除夕 | festival
  天气 气候 下雨 下雪 | weather
  早上 早晨 上午 清晨 | morning
  下午 午后 | afternoon
  晚上 夜里 夜晚 夜间 | evening night
  周末 星期六 星期天 周六 周日 | weekend
  去年 前年 | last year
  每天 天天 每日 | daily
  每周 每星期 | weekly
  偷 被偷 失窃 盗 | steal stolen
  丢 丢失 弄丢 遗失 | lose lost
  忘 忘记 | forget
  到期 过期 失效 截止 | expire
  开始 起 | start begin
  停止 放弃 结束 | stop quit give up
  帮忙 帮助 协助 | help
  打扫 清洁 卫生 家务 | clean housework
  噪音 吵 声音 | noise
  投票 选举 | vote
  社区 小区 街道 | community neighbourhood
  警报 报警 | alarm
  宠物 > 狗 猫 兔子 仓鼠 鹦鹉 金鱼 乌龟
  动物 > 狗 猫 牛 羊 马 猪 鸡 鸭 鸟 鱼
  蔬菜 > 番茄 西红柿 白菜 黄瓜 土豆 萝卜 茄子 豆角 菠菜 辣椒 芹菜
  水果 > 苹果 香蕉 葡萄 西瓜 草莓 樱桃 桃子 橙子 橘子 芒果
  调料 > 香菜 薄荷 盐 糖 酱油 醋 花椒 胡椒 葱 姜 蒜
  乐器 > 钢琴 吉他 小提琴 大提琴 二胡 古筝 琵琶 鼓 长笛
  运动 > 跑步 游泳 足球 篮球 网球 滑雪 瑜伽 马拉松 羽毛球
  外语 > 英语 法语 德语 日语 韩语 俄语 西班牙语 意大利语
  语言 > 英语 法语 德语 日语 韩语 中文 汉语 普通话 方言
  颜色 > 红色 黄色 蓝色 绿色 白色 黑色 紫色 粉色 灰色 橙色
  家电 > 空调 冰箱 电视 洗衣机 洗碗机 烤箱 微波炉
  交通 > 汽车 火车 飞机 地铁 公交 自行车
  家具 > 沙发 桌子 椅子 床 柜子 书架
  城市 > 北京 上海 广州 深圳 成都 南京 杭州 武汉 西安 重庆 天津 苏州 长沙 青岛 昆明 厦门
  汽车 > 比亚迪 丰田 大众 本田 宝马 奔驰 奥迪 特斯拉 吉利 福特 斯柯达
  牌子 > 比亚迪 丰田 大众 本田 宝马 奔驰 奥迪 特斯拉 华为 小米 苹果 格力 海尔 联想
  电脑 > 华为 联想 苹果 戴尔 惠普
  手机 > 华为 小米 苹果 三星
`;
