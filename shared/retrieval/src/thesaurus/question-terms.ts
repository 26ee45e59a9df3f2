/**
 * What people ask for by one word and tell in others, in English and Chinese; in the form that `concepts.ts` describes, but one way:
 * who asks of peanuts does not ask of every allergy.
 */
export const questionTerms = `
  住 > 搬到 搬家 租房 租了 公寓 小区 定居 落户 合租 新家 买房
  住在 > 搬到 搬家 租房 租了 公寓 小区 定居 落户 合租 新家 买房
  哪里人 家乡 老家 籍贯 | hometown
  家乡 > 来自 出生
  忌口 > 过敏 不吃 不能吃 不沾 戒掉
  不能吃 > 过敏 忌口 不耐受
  过敏 > 起疹 花粉 尘螨 不耐受 青霉素 麸质
  口味 > 爱吃 喜欢吃 不吃 辣 清淡 甜 咸
  爱吃 喜欢吃 最爱吃
  家人 > 爸爸 妈妈 父亲 母亲 爸妈 父母 老婆 老公 妻子 丈夫 儿子 女儿 哥哥 弟弟 姐姐 妹妹 爷爷 奶奶 外公 外婆
  家庭 > 爸爸 妈妈 父亲 母亲 爸妈 父母 老婆 老公 妻子 丈夫 儿子 女儿 结婚 离婚
  孩子 > 儿子 女儿 宝宝 闺女 双胞胎
  兄弟姐妹 > 哥哥 弟弟 姐姐 妹妹 独生子 独生女
  感情 恋爱 谈恋爱
  恋爱 > 女朋友 男朋友 女友 男友 分手 对象
  对象 > 女朋友 男朋友 老婆 老公 未婚妻 未婚夫
  结婚 > 领证 婚礼 未婚夫 未婚妻
  年纪 年龄 多大 岁数
  多大 > 岁 出生
  学历 > 毕业 本科 大学 硕士 博士 专科 高中
  学校 > 大学 中学 高中 小学 母校 毕业
  工作 > 入职 就职 任职 跳槽 上班 离职
  上班 > 入职 就职 任职 跳槽 离职
  公司 > 入职 就职 任职 跳槽 离职 创业
  通勤 > 地铁 公交 开车 骑车
  联系方式 > 电话 邮箱 微信 手机号
  旅行 > 机票 签证 酒店 民宿 景点 攻略 自驾
  出国 > 签证 护照 机票 留学
  假期 放假 休假 年假 | vacation holiday leave
  身体 > 住院 手术 体检 吃药 高血压 糖尿病 过敏 受伤
  健康 > 住院 手术 体检 吃药 高血压 糖尿病 过敏 受伤
  看病 就医 门诊 复诊 | doctor clinic
  看病 > 医院 医生 挂号 住院
  失眠 睡不着 入睡困难 | insomnia
  健身 > 健身房 跑步 游泳 瑜伽 撸铁 私教
  减肥 瘦身 减重 节食 | diet
  习惯 > 早起 熬夜 每天 戒烟 戒酒
  熬夜 晚睡 通宵
  爱喝 > 咖啡 茶 奶茶 啤酒 红酒 可乐
  饮料 > 奶茶 可乐 雪碧 豆浆
  车 > 特斯拉 比亚迪 丰田 本田 大众 宝马 奔驰 奥迪 蔚来 小鹏 问界 吉利 斯巴鲁
  开车 > 特斯拉 比亚迪 丰田 本田 大众 宝马 奔驰 奥迪 蔚来 小鹏 驾照
  汽车 > 蔚来 小鹏 问界 斯巴鲁 马自达 雷克萨斯 保时捷 日产
  手机 > 一加
  房子 > 两居室 三居室 首付 房贷 装修 新房 二手房
  开销 > 房租 月租 房贷 学费 水电
  收入 > 工资 月薪 年薪 奖金 副业
  钱 > 工资 房租 房贷 存款 股票 奖金
  宠物 > 布偶 金毛 柯基 泰迪 英短 橘猫 柴犬 哈士奇 拉布拉多 龙猫 鹦鹉 仓鼠
  猫 > 布偶 橘猫 英短 美短 暹罗 狸花 缅因
  狗 > 金毛 柯基 泰迪 哈士奇 拉布拉多 柴犬 边牧 萨摩耶 比熊
  心情 情绪 | mood
  心情 > 开心 难过 生气 焦虑 郁闷 高兴
  生日 > 出生
  礼物 > 送给 收到
  语言 > 粤语 上海话 四川话 闽南语 客家话 雅思 托福
  考试 > 考研 高考 雅思 托福 驾考 考证 四级 六级
  证书 > 驾照 考证 学位
  创作 > 写作 画画 小说 摄影
  乐器 > 钢琴 吉他 架子鼓 古筝 二胡
  追星 偶像 明星
  电影 > 科幻片 恐怖片 喜剧片 纪录片
  看书 读书 阅读
  信仰 > 佛教 基督教 天主教 伊斯兰教 道教
  allergy > gluten nut peanut pollen penicillin dust shellfish dairy lactose intolerant rash
  allergic > gluten nut peanut pollen penicillin dust shellfish dairy lactose intolerant
  diet > vegan vegetarian gluten keto kosher halal lactose pescatarian allergic
  eat > gluten vegan vegetarian allergic kosher halal
  food > gluten vegan vegetarian allergic pizza pasta sushi ramen curry
  car > subaru chevrolet chevy jeep lexus porsche mitsubishi suzuki citroen dacia buick cadillac dodge gmc acura lada saab jaguar bentley rivian polestar
  drive > subaru chevrolet jeep lexus porsche toyota honda ford tesla bmw audi
  vehicle > subaru honda chevrolet jeep lexus audi mercedes hyundai kia volvo pickup suv minivan
  live > moved relocated rent renting apartment neighborhood settled mortgage lease
  home > moved relocated rent renting lease mortgage
  hometown > born grew raised native
  sibling > brother sister twin
  family > sister brother wife husband mom dad niece nephew grandma grandpa kids daughter son
  parents > mom dad mother father
  kids > son daughter toddler twins
  partner > wife husband girlfriend boyfriend fiance fiancee spouse
  spouse > wife husband
  therapist > physio psychologist counsellor psychiatrist
  physio physiotherapist physiotherapy
  doctor > physio surgeon dentist specialist cardiologist dermatologist pediatrician gp physician
  health > surgery diagnosed allergic physio injury medication knee diabetes
  injury > knee physio torn crutches
  training > marathon gym race coach physio
  exercise > gym marathon yoga running swimming cycling pilates crossfit
  education > university degree graduated bachelor master phd college
  study > university college degree course exam thesis semester
  work > hired promoted job company employer office
  employer > hired company startup joined
  job > hired promoted quit resigned joined startup barista therapist analyst consultant
  commute > bus train subway bike tram
  pet > puppy kitten retriever labrador poodle tabby corgi beagle husky terrier gecko ferret
  trip > flight hotel itinerary visa booked airbnb tickets
  travel > flight hotel visa booked airbnb tickets passport
  vacation > trip flight beach cruise resort airbnb
  vacation holiday trip getaway
  wedding > fiance fiancee engaged honeymoon married venue
  baby > pregnant expecting newborn born
  birthday > born turned
  device > laptop phone tablet ipad macbook thinkpad
  computer > laptop pc
  hobby > climbing guitar chess gaming drawing writing woodworking crochet
  gaming > xbox playstation nintendo zelda
  drink > latte espresso kombucha matcha whiskey wine beer
  sleep > insomnia nap snore awake
  finance > mortgage loan salary savings rent debt pension
  money > mortgage loan salary savings rent debt
  contact > phone email
`;
