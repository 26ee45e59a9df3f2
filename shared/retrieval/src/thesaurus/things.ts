/** Kinds of everyday things, and more words of everyday life; in the form that `concepts.ts` describes. */
export const things = `
  dog > labrador retriever poodle greyhound terrier spaniel collie beagle dachshund bulldog husky corgi
  cat > siamese persian tabby kitten
  狗 > 拉布拉多 金毛 泰迪 柯基 哈士奇 边牧 柴犬 贵宾犬 吉娃娃
  猫 > 布偶猫 橘猫 英短 美短 暹罗猫 狸花猫
  bird > parrot canary sparrow robin owl eagle pigeon budgie
  fish > salmon tuna cod trout herring sardines
  seafood > shrimp prawns crab lobster oyster mussels squid
  海鲜 > 螃蟹 龙虾 生蚝 扇贝 鱿鱼
  meat > beef pork lamb chicken bacon sausage ham steak turkey veal
  nut > peanut almond walnut cashew hazelnut pistachio
  dairy > milk cheese yoghurt butter cream
  grain > wheat rice oats barley rye
  dish > soup stew curry pasta pizza salad pie lasagne risotto tagine casserole dumplings
  菜 > 红烧肉 麻婆豆腐 火锅 饺子 炒饭 糖醋排骨 宫保鸡丁 回锅肉 烤鸭
  dessert > cake pie pudding crumble tart brownies cookies icecream
  alcohol > beer wine whisky vodka gin rum champagne cider
  酒 > 白酒 啤酒 红酒 黄酒 葡萄酒 茅台
  tea > matcha chai oolong
  coffee > espresso latte cappuccino americano decaf caffeine
  clothes > shirt trousers skirt dress coat jacket jumper sweater socks hat scarf gloves jeans
  shoes > boots trainers sneakers sandals heels slippers
  body > head arm leg hand foot back knee shoulder neck hip ankle wrist elbow stomach chest
  injury > sprain fracture bruise burn cut concussion sprained broke twisted tore
  伤 > 扭伤 骨折 擦伤 烫伤 割伤 脱臼
  operation > surgery transplant bypass appendix caesarean
  disease > epilepsy arthritis dementia alzheimer parkinson pneumonia covid tuberculosis
  病 > 高血压 糖尿病 哮喘 癫痫 关节炎 痛风 肺炎 胃炎 抑郁症 新冠
  medicine > insulin antibiotics aspirin ibuprofen paracetamol statins antidepressants thinners tablets
  药 > 胰岛素 抗生素 阿司匹林 布洛芬 降压药 止痛药
  phobia fear afraid scared terrified frightened
  family > mother father sister brother son daughter uncle aunt cousin grandmother grandfather husband wife
  school > primary secondary comprehensive grammar college kindergarten nursery
  relative > niece nephew sister brother
  engagement engaged proposed fiance fiancee proposal
  marriage married wed wife husband spouse wedding
  divorce divorced separated split ex
  boyfriend girlfriend partner dating relationship
  pregnancy pregnant expecting due baby
  death died dead passed funeral widow buried
  birthday born birth
  occupation profession career job work employed
  job > librarian pharmacist carpenter electrician journalist photographer secretary waiter scientist architect mechanic pilot soldier farmer butcher baker tailor translator paramedic dentist vet midwife teaches teach runs manages drives designs
  职业 > 药剂师 木匠 电工 摄影师 秘书 服务员 建筑师 机械师 飞行员 军人 厨师 翻译 兽医 快递员 外卖员 教书 教
  fired sacked redundant dismissed unemployed laid redundancy
  hired recruited employed joined
  boss manager supervisor lead head
  salary wage pay income earnings raise
  degree > bachelor master doctorate phd diploma
  subject > maths physics chemistry biology history geography literature economics law philosophy medicine engineering
  学科 > 数学 物理 化学 生物 历史 地理 语文 英语 经济 法律 医学 计算机
  language > dutch swedish norwegian danish finnish polish czech greek turkish hebrew hindi thai vietnamese persian latin
  外语 > 葡萄牙语 阿拉伯语 泰语 荷兰语 瑞典语 粤语
  instrument > ukulele banjo accordion oboe bassoon trombone viola bass keyboard organ
  乐器 > 尤克里里 萨克斯 口琴 手风琴 笛子 大提琴 架子鼓 电子琴
  musician > singer guitarist pianist violinist drummer
  sport > boxing judo karate fencing rowing sailing climbing surfing badminton volleyball baseball gymnastics archery squash
  运动 > 跳绳 登山 攀岩 拳击 柔道 太极 骑行 滑板 冲浪 射箭 击剑 棒球 乒乓球 健身
  game > chess poker bridge monopoly scrabble sudoku minecraft
  hobby > knitting painting gardening photography fishing hiking cycling baking pottery birdwatching reading cooking dancing
  爱好 > 摄影 钓鱼 书法 绘画 下棋 唱歌 跳舞 阅读 烹饪 园艺 骑行 徒步
  vehicle > scooter tram train ferry plane helicopter bicycle tractor caravan campervan
  boat > yacht ferry canoe kayak ship dinghy
  room > kitchen bedroom bathroom lounge attic cellar garage study hall
  房间 > 厨房 卧室 客厅 浴室 书房 阁楼 地下室 车库
  appliance > kettle toaster washer dryer freezer vacuum hob cooker
  garden > lawn flowers hedge greenhouse shed pond
  plant > rose tulip fern cactus orchid ivy sunflower lavender
  花 > 玫瑰 牡丹 菊花 兰花 月季 茉莉 向日葵 桂花
  tree > oak pine maple birch willow apple cherry elm
  树 > 松树 柳树 银杏 桂花树 樱花树 枣树
  fruit > pineapple kiwi lemon lime melon raspberry blueberry blackberry apricot fig coconut
  水果 > 荔枝 龙眼 榴莲 柚子 柠檬 菠萝 猕猴桃 蓝莓 梨 李子
  vegetable > broccoli cauliflower leek celery cucumber aubergine pumpkin beans peas garlic lettuce beetroot
  蔬菜 > 西兰花 花菜 南瓜 冬瓜 丝瓜 韭菜 生菜 蘑菇 豆芽 莲藕
  drink > lemonade smoothie cocktail milkshake cocoa soda
  animal > rabbit hamster goat donkey fox wolf bear lion elephant tortoise snake lizard mouse
  动物 > 兔子 仓鼠 山羊 驴 狐狸 熊 狮子 大象 乌龟 蛇 老鼠
  insect > bee wasp ant spider butterfly mosquito beetle
  country > france germany italy spain portugal greece poland sweden norway denmark ireland scotland england wales japan china india korea thailand vietnam canada mexico brazil argentina australia egypt kenya morocco turkey
  国家 > 法国 德国 意大利 西班牙 英国 美国 日本 韩国 泰国 越南 印度 加拿大 澳大利亚 俄罗斯 巴西 埃及
  city > london paris berlin madrid rome vienna amsterdam dublin lisbon prague oslo stockholm leeds bristol cardiff manchester edinburgh glasgow toronto boston chicago seattle sydney tokyo beijing shanghai
  城市 > 东京 巴黎 伦敦 纽约 柏林 合肥 郑州 济南 沈阳 大连 宁波 福州 无锡 哈尔滨 成都
  religion > christian catholic protestant muslim jewish hindu buddhist sikh church mosque temple synagogue
  feast > christmas easter eid diwali hanukkah passover ramadan thanksgiving
  节日 > 春节 中秋节 端午节 元宵节 清明节 国庆节 圣诞节 重阳节 七夕 过年
  party > labour conservative greens liberal democrat republican
  vote voted election ballot
  insurance > health life travel liability
  document > passport licence certificate visa contract will
  debt > loan mortgage overdraft credit
  bank > barclays hsbc nationwide santander lloyds
  银行 > 工商银行 建设银行 农业银行 招商银行 中国银行
  social > facebook instagram twitter tiktok linkedin whatsapp
  app > whatsapp telegram spotify netflix
  computer > imac desktop chromebook macbook thinkpad dell lenovo
  phone > android nokia huawei xiaomi
  camera > canon nikon leica lens
  car > toyota honda ford volkswagen bmw audi mercedes volvo tesla fiat renault peugeot skoda nissan mazda hyundai kia mini
  book > novel biography thriller memoir poetry cookbook
  genre > crime fantasy thriller romance horror comedy
  music > jazz rock pop folk classical opera blues techno
  音乐 > 摇滚 民谣 古典 爵士 流行 说唱 评弹 京剧 越剧
  colour > turquoise violet beige navy crimson gold silver
  weather > rain snow storm fog sunny windy frost
  emotion feeling mood
  noise loud snoring shouting barking
  sleep asleep insomnia nap bed
  sick nauseous vomit ill unwell nausea
  travelsickness nauseous seasick carsick
  晕车 晕船 恶心 呕吐 吐 | nausea
  adopt adopted rescue shelter fostered
  old used secondhand vintage
  repair fix mend restore
  broken damaged spilled cracked smashed
  steal stole stolen theft robbed burgled
  lose lost missing misplaced
  celebrate celebrated party festival feast
  move moved relocate relocated
  teach teaches taught teacher lecturer
  write writes wrote writer novelist author
  cook cooks cooked cooking chef recipe
  sing sings singer choir
  drive drives driver car
  fly flight airline airport plane
  run runs runner jogging
  study studied student university
  live lives flat house home apartment residence
  flat apartment house home
`;
