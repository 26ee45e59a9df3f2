/** People, work, body and feelings; in the form that `concepts.ts` describes. */
export const people = `
  父亲 爸爸 老爸 爸 爹 | father dad
  母亲 妈妈 老妈 妈 娘 | mother mum
  父母 爸妈 双亲 爹妈 | parents
  爷爷 祖父 | grandfather
  奶奶 祖母 | grandmother
  外公 姥爷 外祖父 | grandfather
  外婆 姥姥 外祖母 | grandmother
  丈夫 老公 先生 | husband
  妻子 老婆 太太 媳妇 | wife
  配偶 爱人 伴侣 另一半 对象 | spouse partner
  哥哥 弟弟 兄弟 | brother
  姐姐 妹妹 姐妹 | sister
  儿子 男孩 | son
  女儿 闺女 女孩 | daughter
  孩子 小孩 儿童 宝宝 娃 | child kid
  婴儿 新生儿 宝宝 | baby
  双胞胎 孪生 | twins
  叔叔 伯伯 舅舅 姑父 | uncle
  阿姨 姑姑 姨妈 婶婶 | aunt
  表哥 表弟 堂哥 堂弟 表姐 表妹 | cousin
  侄子 外甥 | nephew
  侄女 外甥女 | niece
  孙子 孙女 外孙 | grandchild
  公公 婆婆 岳父 岳母
  亲戚 亲属 家人 家属 | relative family
  朋友 好友 闺蜜 哥们 | friend
  邻居 街坊 | neighbour
  同事 同僚 | colleague
  同学 校友 | classmate
  男朋友 男友 | boyfriend
  女朋友 女友 | girlfriend
  老板 上司 领导 主管 经理 | boss manager
  下属 员工 雇员 职员 | employee
  客户 顾客 用户 | customer client
  结婚 成亲 婚礼 婚 嫁 娶 | marry wedding
  离婚 分手 | divorce
  订婚 求婚 | engagement
  怀孕 怀上 身孕 预产期 孕 | pregnant
  出生 诞生 生 | born birth
  去世 过世 逝世 死 | die death
  名字 姓名 叫做 | name
  小名 昵称 外号 绰号 | nickname
  年龄 岁数 岁 | age
  生日 诞辰 | birthday
  纪念日 周年 | anniversary
  家乡 老家 故乡 籍贯 | hometown
  童年 小时候 儿时 幼年 | childhood
  长大 成长 | grow up
  退休 养老 | retire
  工作 职业 上班 职位 岗位 | job work occupation
  公司 企业 单位 | company employer
  工资 薪水 薪资 收入 薪酬 月薪 年薪 | salary wage pay
  加薪 涨薪 涨工资 | raise
  奖金 分红 | bonus
  升职 晋升 提拔 | promotion
  辞职 离职 跳槽 | resign
  失业 裁员 下岗 | unemployed
  面试 应聘 求职 | interview
  出差 差旅 | business trip
  加班 值班 夜班 | overtime shift
  医生 大夫 医师 | doctor
  护士 护理 | nurse
  老师 教师 教授 班主任 | teacher
  律师 | lawyer solicitor
  警察 民警 | police
  司机 驾驶员 | driver
  厨师 大厨 | cook chef
  工程师 技术员 | engineer
  程序员 码农 开发者 | programmer developer
  设计师 | designer
  会计 出纳 | accountant
  作家 作者 小说家 | author writer
  歌手 歌星 | singer
  演员 影星 | actor
  画家 | painter
  记者 编辑 | journalist
  科学家 研究员 | scientist
  志愿 义工 志愿者 公益 慈善 | volunteer charity
  身体 健康 身子 | health body
  毛病 疾病 病 症状 | illness disease
  生病 患病 得病 | ill sick
  感冒 发烧 流感 咳嗽 | cold fever flu
  过敏 敏感 | allergy allergic
  头疼 头痛 偏头痛 | headache migraine
  胃痛 肚子疼 胃病 | stomach ache
  高血压 血压 | blood pressure
  糖尿病 血糖 | diabetes
  中风 脑梗 | stroke
  癌症 肿瘤 | cancer
  骨折 摔断 断了 | broken fracture
  受伤 扭伤 伤 | injury hurt
  手术 开刀 | surgery operation
  住院 入院 | hospital
  医院 诊所 急诊 | hospital clinic
  药 药品 吃药 药物 药片 | medicine pill drug
  疫苗 打针 | vaccine
  体检 检查 | checkup
  视力 近视 远视 眼镜 眼睛 | eyesight glasses
  听力 耳朵 助听器 | hearing ear
  牙医 牙科 口腔 | dentist
  牙齿 牙 | tooth
  手腕 胳膊 手臂 手 | wrist arm hand
  腿 膝盖 脚 脚踝 | leg knee foot
  跛 瘸 拐杖 | limp crutch
  头发 理发 发型 | hair haircut
  体重 减肥 胖 瘦 | weight diet
  身高 多高 | height tall
  怀表 手表 表 | watch
  睡觉 睡眠 入睡 失眠 | sleep insomnia
  打呼噜 打鼾 呼噜 鼾声 | snore
  梦 做梦 噩梦 | dream
  累 疲劳 疲倦 | tired
  压力 焦虑 紧张 | stress anxiety
  害怕 恐惧 怕 恐高 | afraid fear
  喜欢 喜爱 爱好 热爱 最爱 | like love favourite
  讨厌 厌恶 不喜欢 反感 受不了 | hate dislike
  高兴 开心 快乐 幸福 | happy
  难过 伤心 悲伤 沮丧 | sad
  生气 愤怒 恼火 | angry
  后悔 遗憾 | regret
  担心 担忧 | worry
  希望 愿望 梦想 想要 | wish hope want
  计划 打算 准备 | plan
  戒烟 抽烟 吸烟 香烟 | smoke smoking
  喝酒 饮酒 戒酒 酒 | drink alcohol
  素食 吃素 素 | vegetarian
  血型 | blood type
  职业 > 医生 护士 老师 律师 警察 司机 厨师 工程师 程序员 设计师 会计 作家 歌手 演员 记者 销售 测试 农民 工人
  亲戚 > 叔叔 阿姨 表哥 侄子 爷爷 奶奶 外公 外婆
`;
